//! A job list that several threads work through.

use std::sync::Mutex;
use std::thread::{Builder, scope};

/// Runs `work` on every job, on one thread per worker; the calling thread is the first of them.
/// Jobs are taken one by one from the end of the list.
pub(crate) fn run_jobs<J: Send, W: Send>(jobs: Vec<J>, workers: &mut [W], work: impl Fn(&mut W, J) + Sync) {
    let jobs = Mutex::new(jobs);
    let run = |worker: &mut W| {
        loop {
            let next = jobs.lock().ok().and_then(|mut jobs| jobs.pop());
            let Some(job) = next else { break };
            work(worker, job);
        }
    };
    let run = &run;
    scope(|scope| {
        let Some((own, others)) = workers.split_first_mut() else { return };
        for worker in others {
            // If the system refuses a thread, the other threads take its jobs.
            let _ = Builder::new().spawn_scoped(scope, move || run(worker));
        }
        run(own);
    });
}
