//! Tables of objects, reached by handles from any thread.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use crate::handle::{Handle, Kind, MAX};
use crate::object_lock::{ObjectLock, Refused};
use crate::{Code, Error};

/// The number of slots of the first chunk. Each chunk has twice as many as the one before.
const FIRST_CHUNK: u32 = 64;
/// Enough chunks for every slot that a handle can name.
const CHUNKS: usize = 19;

/// All objects of one kind. Finding an object takes no lock but its own, and that one is never
/// waited for: an object in use by another thread, or by a call further up the stack, is an error.
///
/// A slot is reused with the next generation, so a handle of a destroyed object never finds
/// another one. A slot whose generations are used up stays empty.
#[derive(Debug)]
pub(crate) struct Table<T> {
    kind: Kind,
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    free: Mutex<FreeSlots>,
}

type Chunk<T> = Box<[ObjectLock<Slot<T>>]>;

#[derive(Debug)]
struct Slot<T> {
    /// Of the object, or of the next one if there is none. Generations start at one.
    generation: u32,
    /// In a box, so that unused slots are small.
    object: Option<Box<T>>,
}

#[derive(Debug)]
struct FreeSlots {
    /// Slots of destroyed objects.
    reusable: Vec<u32>,
    /// The first slot that was never used.
    unused: u32,
}

impl<T> Table<T> {
    pub(crate) const fn new(kind: Kind) -> Self {
        Self {
            kind,
            chunks: [const { OnceLock::new() }; CHUNKS],
            free: Mutex::new(FreeSlots { reusable: Vec::new(), unused: 0 }),
        }
    }

    /// Stores an object.
    pub(crate) fn insert(&self, object: T) -> Result<Handle, Error> {
        let slot = self.free_slot()?;
        let (chunk, index) = location(slot);
        let chunk = self.chunks[chunk].get_or_init(|| {
            let empty = || ObjectLock::new(Slot { generation: 1, object: None });
            (0..FIRST_CHUNK << chunk).map(|_| empty()).collect()
        });
        let mut object = Some(Box::new(object));
        loop {
            let put = chunk[index].exclusive(|slot| {
                slot.object = object.take();
                slot.generation
            });
            if let Ok(generation) = put {
                return Ok(Handle::new(self.kind, slot, generation));
            }
            // The slot has no object: a call with an old handle is about to find that out.
            thread::yield_now();
        }
    }

    fn free_slot(&self) -> Result<u32, Error> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = free.reusable.pop() {
            return Ok(slot);
        }
        let slot = free.unused;
        if slot > MAX {
            let message = format!("expected at most {} objects of a kind", MAX as u64 + 1);
            return Err(Error::new(Code::Limit, message));
        }
        free.unused += 1;
        Ok(slot)
    }

    /// Removes an object and returns it, so that the caller drops it without a lock.
    pub(crate) fn remove(&self, handle: Handle) -> Result<T, Error> {
        let (slot, generation) = handle.parts(self.kind)?;
        // An object that an internal error left in a doubtful state can still be dropped.
        let taken = self.slot(slot)?.repair(|found| {
            let object = if found.generation == generation { found.object.take() } else { None };
            if object.is_some() && generation < MAX {
                found.generation += 1;
            }
            object
        });
        let object = taken.map_err(|refused| self.refused(refused))?.ok_or_else(|| self.stale())?;
        if generation < MAX {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).reusable.push(slot);
        }
        Ok(*object)
    }

    /// Calls a function with an object. Any number of threads may do that at the same time.
    #[inline]
    pub(crate) fn read<R>(
        &self,
        handle: Handle,
        read: impl FnOnce(&T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (slot, generation) = handle.parts(self.kind)?;
        let result = self.slot(slot)?.shared(|found| match &found.object {
            Some(object) if found.generation == generation => read(object),
            _ => Err(self.stale()),
        });
        result.unwrap_or_else(|refused| Err(self.refused(refused)))
    }

    /// Calls a function that may change an object. No other call may use it meanwhile.
    #[inline]
    pub(crate) fn write<R>(
        &self,
        handle: Handle,
        write: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        let (slot, generation) = handle.parts(self.kind)?;
        let result = self.slot(slot)?.exclusive(|found| match &mut found.object {
            Some(object) if found.generation == generation => write(object),
            _ => Err(self.stale()),
        });
        result.unwrap_or_else(|refused| Err(self.refused(refused)))
    }

    #[inline]
    fn slot(&self, slot: u32) -> Result<&ObjectLock<Slot<T>>, Error> {
        let (chunk, index) = location(slot);
        self.chunks[chunk].get().and_then(|chunk| chunk.get(index)).ok_or_else(|| self.stale())
    }

    #[cold]
    fn stale(&self) -> Error {
        let message = format!("handle: expected {} that exists, found one that does not", self.kind.name());
        Error::new(Code::StaleHandle, message)
    }

    #[cold]
    fn refused(&self, refused: Refused) -> Error {
        let name = self.kind.name();
        match refused {
            Refused::Busy => {
                let message = format!("handle: expected {name} that no other call uses, found one in use");
                Error::new(Code::Busy, message)
            }
            Refused::Poisoned => {
                let message = format!(
                    "handle: {name} was left unfinished by an internal error; it can only be destroyed"
                );
                Error::new(Code::Internal, message)
            }
        }
    }
}

/// The chunk of a slot, and its index there.
#[inline]
fn location(slot: u32) -> (usize, usize) {
    let shifted = slot + FIRST_CHUNK;
    let chunk = shifted.ilog2() - FIRST_CHUNK.ilog2();
    (chunk as usize, (shifted - (FIRST_CHUNK << chunk)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code<T>(result: Result<T, Error>) -> Code {
        result.map_or_else(|error| error.code, |_| Code::Ok)
    }

    #[test]
    fn every_slot_of_a_handle_has_a_location_of_its_own() {
        let mut expected = (0, 0);
        for slot in 0..1000 {
            assert_eq!(location(slot), expected, "{slot}");
            expected.1 += 1;
            if expected.1 == (FIRST_CHUNK as usize) << expected.0 {
                expected = (expected.0 + 1, 0);
            }
        }
        assert!(location(MAX).0 < CHUNKS);
    }

    #[test]
    fn a_destroyed_object_is_never_found_again() {
        let table = Table::new(Kind::Mask);
        let first = table.insert(1).unwrap();
        assert_eq!(table.read(first, |object| Ok(*object)).unwrap(), 1);
        assert_eq!(table.remove(first).unwrap(), 1);
        let second = table.insert(2).unwrap();
        assert_ne!(first, second);
        assert_eq!(code(table.read(first, |_| Ok(()))), Code::StaleHandle);
        assert_eq!(code(table.remove(first)), Code::StaleHandle);
        assert_eq!(table.write(second, |object| Ok(*object)).unwrap(), 2);
        let beyond = Handle::new(Kind::Mask, MAX, 1);
        assert_eq!(code(table.read(beyond, |_| Ok(()))), Code::StaleHandle);
    }

    #[test]
    fn an_object_in_use_is_busy_and_not_waited_for() {
        let table = Table::new(Kind::Crowd);
        let handle = table.insert(0).unwrap();
        let inside = table.write(handle, |_| {
            let codes = [
                code(table.write(handle, |_| Ok(()))),
                code(table.read(handle, |_| Ok(()))),
                code(table.remove(handle)),
            ];
            Ok(codes)
        });
        assert_eq!(inside.unwrap(), [Code::Busy; 3]);
        let inside = table.read(handle, |_| {
            Ok([code(table.read(handle, |_| Ok(()))), code(table.write(handle, |_| Ok(())))])
        });
        assert_eq!(inside.unwrap(), [Code::Ok, Code::Busy]);
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn an_object_that_a_panic_interrupted_can_only_be_destroyed() {
        let table = Table::new(Kind::Crowd);
        let handle = table.insert(5).unwrap();
        let panicked = crate::catch(|| table.write::<()>(handle, |_| panic!("a fault")));
        assert_eq!(code(panicked), Code::Internal);
        assert_eq!(code(table.read(handle, |_| Ok(()))), Code::Internal);
        assert_eq!(table.remove(handle).unwrap(), 5);
        let next = table.insert(6).unwrap();
        assert_eq!(table.read(next, |object| Ok(*object)).unwrap(), 6);
    }

    #[test]
    fn a_slot_without_generations_left_stays_empty() {
        let table = Table::new(Kind::Mask);
        let handle = table.insert(1).unwrap();
        table.chunks[0].get().unwrap()[0].exclusive(|slot| slot.generation = MAX).unwrap();
        let last = Handle::new(Kind::Mask, 0, MAX);
        assert_eq!(table.remove(last).unwrap(), 1);
        assert_ne!(table.insert(2).unwrap().parts(Kind::Mask).unwrap().0, 0);
        assert_eq!(code(table.read(last, |_| Ok(()))), Code::StaleHandle);
        assert_eq!(code(table.read(handle, |_| Ok(()))), Code::StaleHandle);
    }
}
