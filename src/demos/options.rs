//! The options of a demo for `--set`: named, with a range, a default and one line of help.

use crate::constraints::Partition;
use crate::scene::Domain;

/// What values an option takes, and which it has when nobody sets it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// A number or a choice.
    Value {
        /// Allowed values.
        domain: Domain,
        /// Value when not set.
        default: f64,
    },
    /// Free text, such as a path; absent when not set.
    Text {
        /// What stands for the text in help, such as "PATH".
        placeholder: &'static str,
    },
}

/// One option of a demo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemoOption {
    /// Name in `--set name=value`.
    pub name: &'static str,
    /// Values.
    pub kind: OptionKind,
    /// One line of help.
    pub doc: &'static str,
}

impl DemoOption {
    /// A number [in the unit that `doc` names].
    pub(super) const fn number(name: &'static str, range: [f64; 2], default: f64, doc: &'static str) -> Self {
        let domain = Domain::Number { min: range[0], max: range[1] };
        Self { name, kind: OptionKind::Value { domain, default }, doc }
    }

    /// A whole number.
    pub(super) const fn integer(name: &'static str, range: [f64; 2], default: f64, doc: &'static str) -> Self {
        let domain = Domain::Integer { min: range[0], max: range[1] };
        Self { name, kind: OptionKind::Value { domain, default }, doc }
    }

    /// One of `names`; the first is the default.
    pub(super) const fn choice(name: &'static str, names: &'static [&'static str], doc: &'static str) -> Self {
        Self { name, kind: OptionKind::Value { domain: Domain::Choice(names), default: 0.0 }, doc }
    }

    /// The same with another default: a number, or the place of a choice.
    pub(super) const fn by_default(mut self, value: f64) -> Self {
        if let OptionKind::Value { default, .. } = &mut self.kind {
            *default = value;
        }
        self
    }

    /// Text.
    pub(super) const fn text(name: &'static str, placeholder: &'static str, doc: &'static str) -> Self {
        Self { name, kind: OptionKind::Text { placeholder }, doc }
    }

    /// Name and default as one writes them: `count=20`, `kind=all`, `model=PATH`.
    pub fn usage(&self) -> String {
        let value = match self.kind {
            OptionKind::Value { domain: Domain::Choice(names), default } => names[default as usize].to_owned(),
            OptionKind::Value { default, .. } => default.to_string(),
            OptionKind::Text { placeholder } => placeholder.to_owned(),
        };
        format!("{}={value}", self.name)
    }

    /// What is allowed, as words that follow "must be".
    pub fn allowed(&self) -> String {
        match self.kind {
            OptionKind::Value { domain, .. } => allowed(&domain),
            OptionKind::Text { placeholder } => format!("text ({placeholder})"),
        }
    }
}

/// What a domain allows, as words that follow "must be".
pub(super) fn allowed(domain: &Domain) -> String {
    match domain {
        Domain::Number { min, max } => format!("a number from {min} to {max}"),
        Domain::Integer { min, max } => format!("a whole number from {min} to {max}"),
        Domain::Choice(names) => format!("one of {}", names.join("|")),
        Domain::Partition => Partition::ALLOWED.to_owned(),
    }
}

/// The options of one run: what was set, and defaults for the rest.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Vec<(&'static str, f64)>,
    texts: Vec<(&'static str, String)>,
    set: Vec<&'static str>,
}

impl Options {
    /// The defaults of `options`.
    pub fn new(options: &[DemoOption]) -> Self {
        let default = |o: &DemoOption| match o.kind {
            OptionKind::Value { default, .. } => Some((o.name, default)),
            OptionKind::Text { .. } => None,
        };
        Self { values: options.iter().filter_map(default).collect(), texts: Vec::new(), set: Vec::new() }
    }

    /// Sets `option` from text.
    ///
    /// # Errors
    /// A sentence saying what is allowed.
    pub fn set(&mut self, option: &DemoOption, text: &str) -> Result<(), String> {
        match option.kind {
            OptionKind::Value { domain, .. } => {
                let value = domain.parse(text).map_err(|e| format!("`{}` {e}", option.name))?;
                self.values.retain(|(name, _)| *name != option.name);
                self.values.push((option.name, value));
            }
            OptionKind::Text { placeholder } => {
                if text.is_empty() {
                    return Err(format!("`{}` needs a {placeholder} after the equals sign", option.name));
                }
                self.texts.retain(|(name, _)| *name != option.name);
                self.texts.push((option.name, text.to_owned()));
            }
        }
        self.set.push(option.name);
        Ok(())
    }

    /// Whether somebody has set an option, to its default or not.
    pub fn is_set(&self, name: &str) -> bool {
        self.set.contains(&name)
    }

    /// The value of an option that the demo lists.
    ///
    /// # Panics
    /// If the demo does not list it.
    pub fn number(&self, name: &str) -> f32 {
        self.value(name) as f32
    }

    /// The value of a whole-number option, or the index of a choice.
    ///
    /// # Panics
    /// If the demo does not list it.
    pub fn count(&self, name: &str) -> u32 {
        self.value(name) as u32
    }

    /// The text of an option, if it was set.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.iter().find(|(n, _)| *n == name).map(|(_, text)| text.as_str())
    }

    fn value(&self, name: &str) -> f64 {
        let row = self.values.iter().find(|(n, _)| *n == name);
        row.unwrap_or_else(|| panic!("the demo lists no option `{name}`")).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: DemoOption = DemoOption::integer("count", [1.0, 9.0], 4.0, "how many");
    const KIND: DemoOption = DemoOption::choice("kind", &["all", "ball"], "which");
    const MODEL: DemoOption = DemoOption::text("model", "PATH", "what");

    #[test]
    fn options_start_at_defaults_and_keep_the_last_value() {
        let mut options = Options::new(&[COUNT, KIND, MODEL]);
        assert_eq!((options.count("count"), options.count("kind"), options.text("model")), (4, 0, None));
        options.set(&COUNT, "7").unwrap();
        options.set(&COUNT, "2").unwrap();
        options.set(&KIND, "ball").unwrap();
        options.set(&MODEL, "a.glb").unwrap();
        assert_eq!((options.count("count"), options.count("kind"), options.text("model")), (2, 1, Some("a.glb")));
    }

    #[test]
    fn refusals_name_the_range() {
        let mut options = Options::new(&[COUNT, KIND]);
        assert!(options.set(&COUNT, "10").unwrap_err().contains("from 1 to 9"));
        assert!(options.set(&KIND, "bal").unwrap_err().contains("all|ball"));
        assert_eq!(
            (COUNT.usage(), KIND.usage(), MODEL.usage()),
            ("count=4".into(), "kind=all".into(), "model=PATH".into())
        );
    }
}
