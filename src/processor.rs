//! Instruction sets beyond the baseline, as types. A value of such a type exists only where detection has found the
//! instructions, so a function that takes one may run code compiled for them.
//!
//! ```
//! use kakugo::processor::Avx2;
//! let avx2: Option<Avx2> = Avx2::detect();
//! ```
//!
//! No other code can make one:
//!
//! ```compile_fail,E0423
//! let avx2 = kakugo::processor::Avx2(());
//! ```

/// Defines the type of an instruction set by the names that its features have in detection.
macro_rules! instruction_set {
    ($(#[$comment:meta])* $name:ident: $($feature:tt),+) => {
        $(#[$comment])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(());

        impl $name {
            /// The proof that the processor has these instructions, if it has.
            #[inline]
            pub fn detect() -> Option<$name> {
                #[cfg(target_arch = "x86_64")]
                let found = $(is_x86_feature_detected!($feature))&&+;
                #[cfg(not(target_arch = "x86_64"))]
                let found = false;
                found.then_some($name(()))
            }
        }
    };
}

instruction_set! {
    /// AVX2.
    Avx2: "avx2"
}

instruction_set! {
    /// AVX2 and the bit instructions that came with it (2013).
    Avx2Bits: "avx2", "bmi1", "bmi2"
}
