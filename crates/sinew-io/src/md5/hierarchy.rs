//! Names and parents of joints, in models and clips.

use std::collections::HashSet;

use super::tokenizer::Tokenizer;
use crate::Report;
use crate::error::BoxedError as Error;
use crate::scene::WarningCount;
use crate::text_location::TextLocation;

/// A joint's name and its parent, which comes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HierarchyJoint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
}

/// Reads joints one by one.
#[derive(Default)]
pub(super) struct Hierarchy {
    pub(super) joints: Vec<HierarchyJoint>,
    seen: HashSet<String>,
    duplicates: WarningCount<TextLocation>,
}

impl Hierarchy {
    /// Reads the name and the parent of the next joint.
    pub(super) fn read(&mut self, text: &mut Tokenizer<'_>) -> Result<(), Error> {
        let location = text.location();
        let name = text.name("the name of a joint")?;
        if !self.seen.insert(name.clone()) {
            self.duplicates.add(location);
        }
        let token = text.located_token();
        let parent = text.integer("the parent of a joint")?;
        let parent = match usize::try_from(parent) {
            Ok(parent) if parent < self.joints.len() => Some(parent),
            _ if parent == -1 => None,
            _ => return Err(token.unexpected(self.expected_parent())),
        };
        self.joints.push(HierarchyJoint { name, parent });
        Ok(())
    }

    /// The range of valid parents for the next joint, for error messages.
    fn expected_parent(&self) -> String {
        match self.joints.len().checked_sub(1) {
            None => "-1 as the parent of the first joint".to_owned(),
            Some(last) => format!("a parent before the joint, from -1 to {last}"),
        }
    }

    /// Reports duplicate names, and returns the joints.
    pub(super) fn finish(self, report: &mut Report, prefix: &str) -> Result<Vec<HierarchyJoint>, Error> {
        let found = "joints have the name of an earlier one";
        self.duplicates.warn_at_first(report, prefix, found, "all of them keep it")?;
        Ok(self.joints)
    }
}
