//! Tables of objects, reached by handles from any thread.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use crate::handle::{Handle, Kind, MAX};
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

type Chunk<T> = Box<[Slot<T>]>;

#[derive(Debug)]
struct Slot<T> {
    /// Of the object, or of the next one if there is none. Generations start at one. It changes only
    /// while the object is locked to write; without a lock it tells whether a handle is stale.
    generation: AtomicU32,
    object: RwLock<Object<T>>,
}

/// In a box, so that unused slots are small.
type Object<T> = Option<Box<T>>;

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
            let empty = || Slot { generation: AtomicU32::new(1), object: RwLock::new(None) };
            (0..FIRST_CHUNK << chunk).map(|_| empty()).collect()
        });
        let Slot { generation, object: place } = &chunk[index];
        // The slot has no object, so others hold its lock only to find that out.
        *place.write().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(object));
        Ok(Handle::new(self.kind, slot, generation.load(Ordering::Relaxed)))
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
        let (slot, object) = self.take(handle).map_err(|refusal| refusal.error(self.kind, handle))?;
        if let Some(slot) = slot {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).reusable.push(slot);
        }
        Ok(*object)
    }

    /// Empties a slot, and returns its number if it has generations left.
    fn take(&self, handle: Handle) -> Result<(Option<u32>, Box<T>), Refusal> {
        let (slot, generation) = self.slot(handle)?;
        let mut guard = match slot.object.try_write() {
            Ok(guard) => guard,
            // An object that an internal error left in a doubtful state can still be dropped.
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(error) => return Err(slot.refusal(error, generation)),
        };
        if !slot.is_of(generation) {
            return Err(Refusal::Stale);
        }
        let object = guard.take().ok_or(Refusal::Stale)?;
        slot.object.clear_poison();
        if generation == MAX {
            return Ok((None, object));
        }
        slot.generation.store(generation + 1, Ordering::Relaxed);
        Ok((handle.parts(self.kind).map(|(slot, _)| slot), object))
    }

    /// Calls a function with an object. Any number of threads may do that at the same time.
    #[inline]
    pub(crate) fn read<R>(
        &self,
        handle: Handle,
        read: impl FnOnce(&T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self.lock_to_read(handle) {
            Ok(guard) => match &*guard {
                Some(object) => read(object),
                None => Err(Refusal::Stale.error(self.kind, handle)),
            },
            Err(refusal) => Err(refusal.error(self.kind, handle)),
        }
    }

    /// Calls a function that may change an object. No other call may use it meanwhile.
    #[inline]
    pub(crate) fn write<R>(
        &self,
        handle: Handle,
        write: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self.lock_to_write(handle) {
            Ok(mut guard) => match &mut *guard {
                Some(object) => write(object),
                None => Err(Refusal::Stale.error(self.kind, handle)),
            },
            Err(refusal) => Err(refusal.error(self.kind, handle)),
        }
    }

    /// Locks a slot that has the object of a handle.
    #[inline]
    fn lock_to_read(&self, handle: Handle) -> Result<RwLockReadGuard<'_, Object<T>>, Refusal> {
        let (slot, generation) = self.slot(handle)?;
        let guard = slot.object.try_read().map_err(|error| slot.refusal(error, generation))?;
        if slot.is_of(generation) && guard.is_some() { Ok(guard) } else { Err(Refusal::Stale) }
    }

    /// As [`lock_to_read`](Self::lock_to_read), alone.
    #[inline]
    fn lock_to_write(&self, handle: Handle) -> Result<RwLockWriteGuard<'_, Object<T>>, Refusal> {
        let (slot, generation) = self.slot(handle)?;
        let guard = slot.object.try_write().map_err(|error| slot.refusal(error, generation))?;
        if slot.is_of(generation) && guard.is_some() { Ok(guard) } else { Err(Refusal::Stale) }
    }

    /// The slot of a handle, and the generation that it must have.
    #[inline]
    fn slot(&self, handle: Handle) -> Result<(&Slot<T>, u32), Refusal> {
        let (slot, generation) = handle.parts(self.kind).ok_or(Refusal::WrongKind)?;
        let (chunk, index) = location(slot);
        let found = self.chunks.get(chunk).and_then(|chunk| chunk.get()?.get(index));
        Ok((found.ok_or(Refusal::Stale)?, generation))
    }
}

impl<T> Slot<T> {
    /// Whether an object in it would be of this generation.
    #[inline]
    fn is_of(&self, generation: u32) -> bool {
        self.generation.load(Ordering::Relaxed) == generation
    }

    /// Why a handle of a generation gives no lock. That another thread uses the slot's next object
    /// does not matter to a stale handle.
    #[cold]
    fn refusal<G>(&self, error: TryLockError<G>, generation: u32) -> Refusal {
        match error {
            _ if !self.is_of(generation) => Refusal::Stale,
            TryLockError::WouldBlock => Refusal::Busy,
            TryLockError::Poisoned(_) => Refusal::Unfinished,
        }
    }
}

/// Why a handle gives no object. The text is made once for all, not in each of many operations.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    WrongKind,
    Stale,
    Busy,
    Unfinished,
}

impl Refusal {
    #[cold]
    #[inline(never)]
    fn error(self, kind: Kind, handle: Handle) -> Error {
        let name = kind.name();
        let (code, message) = match self {
            Self::WrongKind => return handle.wrong_kind(kind),
            Self::Stale => {
                (Code::StaleHandle, format!("handle: expected {name} that exists, found one that does not"))
            }
            Self::Busy => {
                (Code::Busy, format!("handle: expected {name} that no other call uses, found one in use"))
            }
            Self::Unfinished => (
                Code::Internal,
                format!("handle: {name} was left unfinished by an internal error; it can only be destroyed"),
            ),
        };
        Error::new(code, message)
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
        // Also while another call uses the object that has its slot now.
        let inside = table.write(second, |_| {
            Ok([
                code(table.read(first, |_| Ok(()))),
                code(table.write(first, |_| Ok(()))),
                code(table.remove(first)),
            ])
        });
        assert_eq!(inside.unwrap(), [Code::StaleHandle; 3]);
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
        table.chunks[0].get().unwrap()[0].generation.store(MAX, Ordering::Relaxed);
        let last = Handle::new(Kind::Mask, 0, MAX);
        assert_eq!(table.remove(last).unwrap(), 1);
        assert_ne!(table.insert(2).unwrap().parts(Kind::Mask).unwrap().0, 0);
        assert_eq!(code(table.read(last, |_| Ok(()))), Code::StaleHandle);
        assert_eq!(code(table.read(handle, |_| Ok(()))), Code::StaleHandle);
    }
}
