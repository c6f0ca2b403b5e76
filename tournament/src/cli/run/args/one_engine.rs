//! The options of `tournament run` in commands where one engine plays itself.

use anyhow::{Result, bail, ensure};

use super::RunArgs;

impl RunArgs {
    /// Takes the command of the only engine out of the options.
    ///
    /// # Errors
    /// Returns an error that names an option for several engines.
    pub(in crate::cli) fn take_engine(&mut self) -> Result<Option<String>> {
        let for_several = [
            ("--engine1", self.engine1.is_some()),
            ("--engine2", self.engine2.is_some()),
            ("--name1", self.name1.is_some()),
            ("--name2", self.name2.is_some()),
            ("--max-nodes1", self.max_nodes1.is_some()),
            ("--max-nodes2", self.max_nodes2.is_some()),
            ("--info1", !self.info1.is_empty()),
            ("--info2", !self.info2.is_empty()),
            ("--format", self.format.is_some()),
            ("--sprt", self.sprt.is_some()),
        ];
        if let Some((option, _)) = for_several.iter().find(|(_, is_given)| *is_given) {
            bail!("{option} cannot be used with doublings, where one engine plays itself");
        }
        ensure!(self.engine.len() < 2, "one engine plays itself: choose it with a single --engine");
        Ok(self.engine.pop())
    }

    /// Takes `--reuse` out of the options, which would define the two engines of a match.
    pub(in crate::cli) fn take_reuse(&mut self) -> bool {
        std::mem::take(&mut self.reuse)
    }

    /// Whether a config is given.
    pub(in crate::cli) fn has_config(&self) -> bool {
        self.config.is_some()
    }
}
