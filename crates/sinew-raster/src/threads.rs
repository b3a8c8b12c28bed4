//! Work that threads share.

use std::sync::Mutex;
use std::thread::{Builder, scope};

/// Hands out things one by one, from the last to the first, to as many threads as there are workers, this thread among them.
pub(crate) fn share_out<T: Send, W: Send>(
    things: Vec<T>,
    workers: &mut [W],
    work: impl Fn(&mut W, T) + Sync,
) {
    let things = Mutex::new(things);
    let go_on = |worker: &mut W| {
        loop {
            let next = things.lock().ok().and_then(|mut things| things.pop());
            let Some(thing) = next else { break };
            work(worker, thing);
        }
    };
    let go_on = &go_on;
    scope(|scope| {
        let Some((own, others)) = workers.split_first_mut() else { return };
        for worker in others {
            // A thread that the system does not have is not missed: the others take what it would have had.
            let _ = Builder::new().spawn_scoped(scope, move || go_on(worker));
        }
        go_on(own);
    });
}
