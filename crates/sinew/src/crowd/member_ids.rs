//! Stable ids for members, with generations.

/// The id of a member of a crowd. Ids are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId {
    entry: u32,
    /// How often the entry was reused.
    generation: u32,
}

impl MemberId {
    /// The id as a number, for programs that cannot hold the type.
    #[must_use]
    pub fn to_bits(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.entry)
    }

    /// The id of a number from [`to_bits`](Self::to_bits). Another number is the id of no member,
    /// or of another one.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self { entry: bits as u32, generation: (bits >> 32) as u32 }
    }
}

/// A table from ids to members.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberTable {
    entries: Vec<Entry>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    generation: u32,
    index: Option<MemberIndex>,
}

/// The index of a model, and of a member among those of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemberIndex {
    pub(super) model: usize,
    pub(super) member: usize,
}

impl MemberTable {
    pub(super) fn add(&mut self, index: MemberIndex) -> MemberId {
        let entry = self.free.pop().unwrap_or_else(|| {
            self.entries.push(Entry { generation: 0, index: None });
            u32::try_from(self.entries.len() - 1)
                .expect("memory ends before members can no longer be counted")
        });
        let free = &mut self.entries[entry as usize];
        free.index = Some(index);
        MemberId { entry, generation: free.generation }
    }

    /// The index of a member; `None` if it was removed or belongs to another crowd.
    pub(super) fn find(&self, id: MemberId) -> Option<MemberIndex> {
        let entry = self.entries.get(id.entry as usize)?;
        entry.index.filter(|_| entry.generation == id.generation)
    }

    pub(super) fn remove(&mut self, id: MemberId) -> Option<MemberIndex> {
        let index = self.find(id)?;
        let entry = &mut self.entries[id.entry as usize];
        entry.index = None;
        // An entry whose generations are used up stays empty.
        if let Some(next) = entry.generation.checked_add(1) {
            entry.generation = next;
            self.free.push(id.entry);
        }
        Some(index)
    }

    /// Updates the index of a member that has moved.
    pub(super) fn set(&mut self, id: MemberId, index: MemberIndex) {
        self.entries[id.entry as usize].index = Some(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn member_ids_are_never_reused() {
        let mut table = MemberTable::default();
        let index = MemberIndex { model: 1, member: 2 };
        let first = table.add(index);
        assert_eq!(table.remove(first), Some(index));
        assert_eq!(table.remove(first), None);
        let second = table.add(index);
        assert_ne!(first, second);
        assert_eq!((table.find(first), table.find(second)), (None, Some(index)));
        assert_eq!(MemberId::from_bits(second.to_bits()), second);
    }
}
