//! A small network over point codes: what the sums of single points cannot say of a position as a whole.
//!
//! Every code of an empty point has a row of numbers for either turn. The rows of all empty points are added up, in
//! whole numbers, through make and undo: the channels. Only when a value is asked for they pass through one hidden
//! layer, each bounded to 0..1 on the way, to a number of points. Its sums are exact, so that play is the same on every
//! machine.

use crate::board::{ByColor, Color};

/// Sums that are kept for each turn.
pub const CHANNELS: usize = 16;
/// Numbers between the channels and the value.
pub const HIDDEN: usize = 16;
/// What counts as 1 in rows, channels and hidden numbers, and in the weights of the hidden layer. Rows are small: less
/// than this was too coarse for them.
pub const ONE: i32 = 1024;

/// What a point with some code adds to the channels, with black to move and with white.
pub type Row = ByColor<[i16; CHANNELS]>;

/// The channels of a position for both turns.
///
/// Additions wrap around: what came and goes leaves no trace, and no position of a game comes near the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Channels(Row);

impl Channels {
    /// Adds what came and takes away what went.
    #[inline(always)]
    pub fn change(&mut self, came: &Row, went: &Row) {
        for turn in 0..2 {
            let (sums, came, went) = (&mut self.0.0[turn], &came.0[turn], &went.0[turn]);
            for i in 0..CHANNELS {
                sums[i] = sums[i].wrapping_add(came[i]).wrapping_sub(went[i]);
            }
        }
    }
}

/// From the channels to the value. Nothing but zeros: every value is 0.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// What the channels begin with, in parts of [`ONE`].
    pub start: [i16; CHANNELS],
    /// Per hidden number, the weight of each channel.
    pub hidden: [[i16; CHANNELS]; HIDDEN],
    /// What the hidden numbers begin with, in parts of [`ONE`] squared.
    pub hidden_start: [i32; HIDDEN],
    /// The weight of each hidden number, in [`PARTS`](super::PARTS) of a point.
    pub output: [i16; HIDDEN],
    /// What the value begins with, in [`PARTS`](super::PARTS) of a point.
    pub output_start: i32,
}

impl Network {
    /// What the channels say with `us` to move, in [`PARTS`](super::PARTS) of a point.
    #[inline]
    pub fn value(&self, channels: &Channels, us: Color) -> i32 {
        let sums = &channels.0[us];
        let mut inputs = [0; CHANNELS];
        for i in 0..CHANNELS {
            inputs[i] = sums[i].wrapping_add(self.start[i]).clamp(0, ONE as i16);
        }
        let mut total = 0;
        for number in 0..HIDDEN {
            let weights = &self.hidden[number];
            let mut sum = self.hidden_start[number];
            for i in 0..CHANNELS {
                sum += i32::from(inputs[i]) * i32::from(weights[i]);
            }
            total += (sum / ONE).clamp(0, ONE) * i32::from(self.output[number]);
        }
        self.output_start + total / ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Channels in which both turns have these sums.
    fn channels(sums: [i16; CHANNELS]) -> Channels {
        let mut channels = Channels::default();
        channels.change(&ByColor([sums; 2]), &Row::default());
        channels
    }

    #[test]
    fn channels_and_hidden_numbers_are_bounded() {
        // The first channel, doubled and bounded, is worth 100 points; the second one takes from it.
        let mut network = Network::default();
        network.hidden[0][0] = 2 * ONE as i16;
        network.hidden[0][1] = -ONE as i16;
        network.output[0] = 1600;
        network.output_start = -16;
        let value = |first, second| {
            let mut sums = [0; CHANNELS];
            (sums[0], sums[1]) = (first, second);
            let values = Color::ALL.map(|us| network.value(&channels(sums), us));
            assert_eq!(values[0], values[1]);
            values[0]
        };
        let one = ONE as i16;
        assert_eq!(value(0, 0), -16);
        assert_eq!(value(-one, 0), -16);
        assert_eq!(value(one / 4, 0), 784);
        assert_eq!(value(one / 2, 0), 1584);
        assert_eq!(value(one, 0), 1584);
        assert_eq!(value(one / 2, one / 2), 784);
        assert_eq!(value(one / 2, -one), 1584);
        assert_eq!(value(9 * one, 9 * one), 1584);
        assert_eq!(value(0, one), -16);
    }

    #[test]
    fn each_turn_has_its_own_channels_and_what_went_is_gone() {
        let mut network = Network::default();
        (network.start[3], network.hidden[5][3], network.output[5]) = (10, ONE as i16, ONE as i16);
        let mut row = Row::default();
        (row[Color::Black][3], row[Color::White][3]) = (20, 70);
        let mut channels = Channels::default();
        channels.change(&row, &Row::default());
        assert_eq!(Color::ALL.map(|us| network.value(&channels, us)), [30, 80]);
        channels.change(&Row::default(), &row);
        assert_eq!(channels, Channels::default());
    }
}
