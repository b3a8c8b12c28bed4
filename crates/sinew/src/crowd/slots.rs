//! Names for members that stay while others come and go.

/// Names a member of a crowd, for as long as it is there: a name is never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberId {
    slot: u32,
    /// How often the slot was emptied before.
    generation: u32,
}

/// Where the members are.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    place: Option<Place>,
}

/// Which member of which model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) model: usize,
    pub(super) member: usize,
}

impl Slots {
    pub(super) fn add(&mut self, place: Place) -> MemberId {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, place: None });
            u32::try_from(self.slots.len() - 1).expect("memory ends before members can no longer be counted")
        });
        let empty = &mut self.slots[slot as usize];
        empty.place = Some(place);
        MemberId { slot, generation: empty.generation }
    }

    /// `None` for a member that is no longer there, or of another crowd.
    pub(super) fn find(&self, id: MemberId) -> Option<Place> {
        let slot = self.slots.get(id.slot as usize)?;
        slot.place.filter(|_| slot.generation == id.generation)
    }

    pub(super) fn remove(&mut self, id: MemberId) -> Option<Place> {
        let place = self.find(id)?;
        let slot = &mut self.slots[id.slot as usize];
        slot.place = None;
        // A slot whose names are used up stays empty for good.
        if let Some(next) = slot.generation.checked_add(1) {
            slot.generation = next;
            self.free.push(id.slot);
        }
        Some(place)
    }

    /// A member has moved.
    pub(super) fn put(&mut self, id: MemberId, place: Place) {
        self.slots[id.slot as usize].place = Some(place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_given_twice() {
        let mut slots = Slots::default();
        let place = Place { model: 1, member: 2 };
        let first = slots.add(place);
        assert_eq!(slots.remove(first), Some(place));
        assert_eq!(slots.remove(first), None);
        let second = slots.add(place);
        assert_ne!(first, second);
        assert_eq!((slots.find(first), slots.find(second)), (None, Some(place)));
    }
}
