//! Names and parents of joints, which models and clips both have.

use std::collections::HashSet;

use super::tally::Tally;
use super::text::Text;
use crate::{Error, Report};

/// A joint's name and its parent, which comes before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
}

/// Reads joints one after the other.
#[derive(Default)]
pub(super) struct Hierarchy {
    pub(super) joints: Vec<Named>,
    seen: HashSet<String>,
    twice: Tally,
}

impl Hierarchy {
    /// Reads the name and the parent of the next joint.
    pub(super) fn read(&mut self, text: &mut Text<'_>) -> Result<(), Error> {
        let place = text.place();
        let name = text.name("the name of a joint")?;
        if !self.seen.insert(name.clone()) {
            self.twice.add(place);
        }
        let spot = text.spot();
        let parent = text.integer("the parent of a joint")?;
        let parent = match usize::try_from(parent) {
            Ok(parent) if parent < self.joints.len() => Some(parent),
            _ if parent == -1 => None,
            _ => return Err(spot.fault(self.parents())),
        };
        self.joints.push(Named { name, parent });
        Ok(())
    }

    /// What the parent of the next joint may be.
    fn parents(&self) -> String {
        match self.joints.len().checked_sub(1) {
            None => "-1 as the parent of the first joint".to_owned(),
            Some(last) => format!("a parent before the joint, from -1 to {last}"),
        }
    }

    /// Notes names that are not unique, and gives the joints.
    pub(super) fn finish(self, report: &mut Report, within: &str) -> Result<Vec<Named>, Error> {
        let found = "joints have the name of an earlier one";
        self.twice.note(report, within, found, "both keep it, and are told by their numbers")?;
        Ok(self.joints)
    }
}
