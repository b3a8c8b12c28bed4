# Sourced by the scripts of this folder: where they are, and how they say that something was left out.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=.ci
target=${CARGO_TARGET_DIR:-target}

# Something that could not be checked here. `.ci/run` lists it at the end.
skip() {
    echo "SKIPPED: $*"
    if [ -n "${SINEW_SKIPPED:-}" ]; then echo "$*" >>"$SINEW_SKIPPED"; fi
}

# What a whole script needs and does not find. `.ci/run` fails on this in CI and goes on elsewhere.
lacking() {
    echo "CANNOT RUN: $*" >&2
    exit 77
}
