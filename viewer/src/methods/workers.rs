//! Threads that live as long as the pipeline, so that no frame pays for starting one.
//!
//! A job owns its data and hands it back with its result: nothing is borrowed across threads.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs the jobs it is given, one after the other, until the worker is dropped.
pub(super) struct Worker {
    jobs: Sender<Job>,
}

/// The result of a job.
pub(super) struct Pending<T>(Receiver<T>);

impl Worker {
    /// Starts the thread.
    pub(super) fn start() -> Result<Self, String> {
        let (jobs, given) = mpsc::channel::<Job>();
        let run = move || given.into_iter().for_each(|job| job());
        let thread = thread::Builder::new().name("sinew-worker".to_owned()).spawn(run);
        thread.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok(Self { jobs })
    }

    /// Gives the thread a job.
    pub(super) fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Pending<T> {
        let (sender, receiver) = mpsc::channel();
        // If the thread or the receiver has ended, `Pending::wait` reports it.
        let job = move || drop(sender.send(job()));
        let _ = self.jobs.send(Box::new(job));
        Pending(receiver)
    }
}

impl<T> Pending<T> {
    /// Waits for the result.
    pub(super) fn wait(self) -> T {
        self.0.recv().expect("a worker thread panicked, and printed why")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_jobs_run_on_one_thread() {
        let worker = Worker::start().expect("a thread");
        let ids: Vec<_> = (0..5).map(|_| worker.run(|| thread::current().id()).wait()).collect();
        assert!(ids.iter().all(|id| *id == ids[0] && *id != thread::current().id()));
    }
}
