//! Runs work on threads without Python's lock, while the calling thread looks for Ctrl-C and
//! reports progress.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// The time between two looks at signals and progress.
const INTERVAL: Duration = Duration::from_millis(50);

/// What workers and the calling thread share.
pub(crate) struct Monitor {
    done: AtomicUsize,
    cancelled: AtomicBool,
    running: Mutex<usize>,
    finished: Condvar,
}

impl Monitor {
    /// Counts an item as done. Returns whether to go on.
    pub(crate) fn advance(&self) -> bool {
        self.done.fetch_add(1, Ordering::Relaxed);
        !self.cancelled.load(Ordering::Relaxed)
    }

    fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Waits for all workers, at most for the interval. Returns whether they are finished.
    fn wait(&self) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.finished.wait_timeout_while(running, INTERVAL, |running| *running > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// A worker that runs; dropped at its end, also by a panic.
struct Running<'a>(&'a Monitor);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *self.0.running.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.finished.notify_all();
    }
}

/// How work is divided and reported.
pub(crate) struct Schedule<'a, 'py> {
    /// The number of workers.
    pub(crate) threads: usize,
    /// The number of items, for the progress.
    pub(crate) total: usize,
    /// Called as `progress(done, total)`.
    pub(crate) progress: Option<&'a Bound<'py, PyAny>>,
    /// Whether it takes so little time that the calling thread does it alone.
    pub(crate) brief: bool,
}

/// Runs `work` on each thread of the schedule. Each takes items from a queue of its own making, and
/// calls [`Monitor::advance`] after each; it ends when the queue is empty or that returns `false`.
/// Errors of signals and of the progress function cancel the work.
pub(crate) fn run<E: Send>(
    py: Python<'_>,
    schedule: &Schedule<'_, '_>,
    to_exception: impl Fn(E) -> PyErr,
    work: impl Fn(&Monitor) -> Result<(), E> + Sync,
) -> PyResult<()> {
    let threads = if schedule.brief { 0 } else { schedule.threads.max(1) };
    let monitor = Monitor {
        done: AtomicUsize::new(0),
        cancelled: AtomicBool::new(false),
        running: Mutex::new(threads),
        finished: Condvar::new(),
    };
    let progress = schedule.progress.map(|progress| progress.clone().unbind());
    let total = schedule.total;
    let report = |py: Python<'_>| {
        py.check_signals()?;
        match &progress {
            Some(progress) => {
                let done = monitor.done.load(Ordering::Relaxed).min(total);
                progress.call1(py, (done, total)).map(|_| ())
            }
            None => Ok(()),
        }
    };
    if threads == 0 {
        py.detach(|| work(&monitor)).map_err(to_exception)?;
        return report(py);
    }
    let (interrupted, results) = py.detach(|| {
        thread::scope(|scope| {
            let worker = || {
                let _running = Running(&monitor);
                let result = work(&monitor);
                if result.is_err() {
                    monitor.cancel();
                }
                result
            };
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            let mut interrupted = Ok(());
            while interrupted.is_ok() && !monitor.wait() {
                interrupted = Python::attach(report);
            }
            if interrupted.is_err() {
                monitor.cancel();
            }
            // A worker's panic goes on in the caller, as an exception of Python.
            let join = |worker: thread::ScopedJoinHandle<'_, Result<(), E>>| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            (interrupted, workers.into_iter().map(join).collect::<Vec<_>>())
        })
    });
    interrupted?;
    results.into_iter().collect::<Result<(), E>>().map_err(to_exception)?;
    report(py)
}

/// The number of threads: as asked for, or one per core, but no more than there are items.
pub(crate) fn thread_count(threads: Option<usize>, items: usize) -> PyResult<usize> {
    let wanted = match threads {
        Some(0) => return Err(crate::errors::bad_value("threads", "one or more", 0)),
        Some(threads) => threads.min(1024),
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    Ok(wanted.min(items).max(1))
}
