# Sourced by the scripts of this folder: their paths, and how they report what was skipped.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=.ci
target=${CARGO_TARGET_DIR:-target}

# skip REASON: reports a check that could not run here. `.ci/run` lists it at the end.
skip() {
    echo "SKIPPED: $*"
    if [ -n "${SINEW_SKIPPED:-}" ]; then echo "$*" >>"$SINEW_SKIPPED"; fi
}

# cannot_run REASON: ends a script whose tools are missing. `.ci/run` then fails, or skips the step
# if SINEW_CI_SKIP=1.
cannot_run() {
    echo "CANNOT RUN: $*" >&2
    exit 77
}
