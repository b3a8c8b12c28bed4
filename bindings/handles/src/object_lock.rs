//! A lock that is never waited for: a second use of an object is refused.
//!
//! Unsafe code, since the locks of the standard library pay for what is not needed here. They give
//! back an object by a second locked instruction, to find out who waits, and ask whether the thread
//! panics. That is a third of what a call from C costs.

#![allow(unsafe_code, reason = "a lock hands out references to what it holds")]

use std::cell::UnsafeCell;
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering};

/// Nobody uses the object. Smaller numbers than [`POISONED`] count its readers.
const FREE: u32 = 0;
/// A panic interrupted a change.
const POISONED: u32 = u32::MAX - 1;
/// One call uses the object alone.
const EXCLUSIVE: u32 = u32::MAX;

/// Why an object cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Another call uses it.
    Busy,
    /// A panic interrupted a call that could change it.
    Poisoned,
}

/// An object that one call uses alone, or several only to read it.
#[derive(Debug)]
pub(crate) struct ObjectLock<T> {
    state: AtomicU32,
    object: UnsafeCell<T>,
}

// SAFETY: the state lets only one call at a time have an exclusive reference, and readers only
// while there is none, so threads share what is `Sync` and pass on what is `Send`.
unsafe impl<T: Send + Sync> Sync for ObjectLock<T> {}

/// Leaves the object poisoned, unless it is forgotten.
struct PoisonOnUnwind<'a>(&'a AtomicU32);

impl Drop for PoisonOnUnwind<'_> {
    fn drop(&mut self) {
        self.0.store(POISONED, Ordering::Release);
    }
}

/// One reader less, also when it panics.
struct Reader<'a>(&'a AtomicU32);

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl<T> ObjectLock<T> {
    pub(crate) const fn new(object: T) -> Self {
        Self { state: AtomicU32::new(FREE), object: UnsafeCell::new(object) }
    }

    /// Calls a function with the object alone. If it panics, the object is poisoned.
    #[inline]
    pub(crate) fn exclusive<R>(&self, act: impl FnOnce(&mut T) -> R) -> Result<R, Refused> {
        self.exclusive_from(FREE, act)
    }

    /// Calls a function with the object alone, even if it is poisoned. It is sound again afterwards.
    pub(crate) fn repair<R>(&self, act: impl FnOnce(&mut T) -> R) -> Result<R, Refused> {
        let from = if self.state.load(Ordering::Relaxed) == POISONED { POISONED } else { FREE };
        self.exclusive_from(from, act)
    }

    #[inline]
    fn exclusive_from<R>(&self, from: u32, act: impl FnOnce(&mut T) -> R) -> Result<R, Refused> {
        let taken = self.state.compare_exchange(from, EXCLUSIVE, Ordering::Acquire, Ordering::Relaxed);
        taken.map_err(refused)?;
        let poison = PoisonOnUnwind(&self.state);
        // SAFETY: the state was free or poisoned, so there is no other reference, and as long as it
        // is `EXCLUSIVE`, no other call gets one.
        let object = unsafe { &mut *self.object.get() };
        let result = act(object);
        mem::forget(poison);
        self.state.store(FREE, Ordering::Release);
        Ok(result)
    }

    /// Calls a function that reads the object. Others may read it at the same time.
    #[inline]
    pub(crate) fn shared<R>(&self, read: impl FnOnce(&T) -> R) -> Result<R, Refused> {
        // The last number below `POISONED` stays free, so that readers cannot count up to it.
        let more = |readers: u32| (readers < POISONED - 1).then_some(readers + 1);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, more).map_err(refused)?;
        let reader = Reader(&self.state);
        // SAFETY: the state counts this reader, so no call gets an exclusive reference until it is
        // dropped.
        let object = unsafe { &*self.object.get() };
        let result = read(object);
        drop(reader);
        Ok(result)
    }
}

#[cold]
fn refused(state: u32) -> Refused {
    if state == POISONED { Refused::Poisoned } else { Refused::Busy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_and_a_change_is_alone() {
        let lock = ObjectLock::new(0_u32);
        let inside = lock.shared(|_| (lock.shared(|object| *object), lock.exclusive(|object| *object)));
        assert_eq!(inside, Ok((Ok(0), Err(Refused::Busy))));
        let inside = lock.exclusive(|object| {
            *object = 7;
            (lock.shared(|object| *object), lock.exclusive(|object| *object), lock.repair(|_| ()))
        });
        assert_eq!(inside, Ok((Err(Refused::Busy), Err(Refused::Busy), Err(Refused::Busy))));
        assert_eq!(lock.shared(|object| *object), Ok(7));
        assert_eq!(lock.exclusive(|object| *object), Ok(7));
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn only_a_change_that_panics_poisons_and_a_repair_mends() {
        let lock = ObjectLock::new(0_u32);
        assert!(crate::catch::<()>(|| Ok(lock.shared(|_| panic!("a reader")).unwrap())).is_err());
        assert_eq!(lock.exclusive(|object| *object), Ok(0));
        assert!(crate::catch::<()>(|| Ok(lock.exclusive(|_| panic!("a change")).unwrap())).is_err());
        assert_eq!(lock.shared(|object| *object), Err(Refused::Poisoned));
        assert_eq!(lock.exclusive(|object| *object), Err(Refused::Poisoned));
        assert_eq!(lock.repair(|object| *object), Ok(0));
        assert_eq!(lock.exclusive(|object| *object), Ok(0));
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn threads_never_change_it_at_the_same_time() {
        let lock = ObjectLock::new([0_u64; 2]);
        let done: u64 = std::thread::scope(|scope| {
            let count = || {
                let mut done = 0;
                for turn in 0..20_000 {
                    if turn % 3 == 0 {
                        let read = lock.shared(|&[one, other]| one == other);
                        assert_ne!(read, Ok(false), "read in the middle of a change");
                        continue;
                    }
                    let changed = lock.exclusive(|[one, other]| {
                        *one += 1;
                        *other += 1;
                    });
                    done += u64::from(changed.is_ok());
                }
                done
            };
            let threads = [(); 4].map(|()| scope.spawn(count));
            threads.into_iter().map(|thread| thread.join().expect("no panic")).sum()
        });
        assert_eq!(lock.shared(|object| *object), Ok([done; 2]));
    }
}
