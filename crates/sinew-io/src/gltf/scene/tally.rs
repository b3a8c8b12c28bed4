//! Faults that many elements of one array share: counted, so that a report never grows with the data.

use crate::{Error, Report};

/// The largest size of a number that is taken from a file: products of two, and sums of some of these, stay finite.
pub(super) const LARGEST: f32 = 1e18;

/// Whether a number can be worked with: finite, and not beyond [`LARGEST`].
pub(super) fn usable(number: f32) -> bool {
    number.abs() <= LARGEST
}

/// How many elements share a fault, and which is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    count: usize,
    first: usize,
}

impl Tally {
    pub(super) fn add(&mut self, index: usize) {
        if self.count == 0 {
            self.first = index;
        }
        self.count += 1;
    }

    /// One oddity for all, or nothing where there are none.
    pub(super) fn note(self, report: &mut Report, place: &str, what: &str, done: &str) -> Result<(), Error> {
        let Self { count, first } = self;
        match count {
            0 => Ok(()),
            1 => report.note(place, format!("1 of {what}, number {first}"), done),
            _ => report.note(place, format!("{count} of {what}, the first number {first}"), done),
        }
    }
}

/// Puts a number in the place of every component that cannot be worked with.
pub(super) fn replace_unusable<const N: usize>(values: &mut [[f32; N]], instead: f32) -> Tally {
    let mut tally = Tally::default();
    for (index, value) in values.iter_mut().enumerate() {
        if value.iter().all(|&component| usable(component)) {
            continue;
        }
        tally.add(index);
        for component in value.iter_mut().filter(|component| !usable(**component)) {
            *component = instead;
        }
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_components_that_cannot_be_worked_with_are_replaced() {
        let mut values = [[1.0, 2.0], [f32::NAN, 3.0], [4.0, f32::NEG_INFINITY], [f32::MAX, LARGEST]];
        let tally = replace_unusable(&mut values, 0.0);
        assert_eq!(values, [[1.0, 2.0], [0.0, 3.0], [4.0, 0.0], [0.0, LARGEST]]);
        assert_eq!(tally, Tally { count: 3, first: 1 });
    }

    #[test]
    fn a_tally_is_one_oddity_or_none() {
        let mut report = Report::new(false);
        Tally::default().note(&mut report, "here", "faults", "nothing").unwrap();
        assert!(report.is_empty());
        Tally { count: 7, first: 3 }.note(&mut report, "here", "faults", "mended").unwrap();
        assert_eq!(report.to_string(), "here: 7 of faults, the first number 3; mended\n");
        assert!(Tally { count: 1, first: 0 }.note(&mut Report::new(true), "here", "faults", "").is_err());
    }
}
