//! One of a crowd.

use super::{Adjustment, MemberId};
use crate::{Error, Matrix, Model, Player};

/// One of a crowd: where it stands, what it plays, and how well it is to be seen.
#[derive(Clone, Debug)]
pub struct Member {
    /// Where it stands: from model space to the world. Taken over by each step, whether or not the member is animated in it.
    pub world: Matrix,
    /// It is animated in one of so many steps, by all the time that has gone by; zero and one mean in each. Until then its
    /// vertices stay where they are.
    pub every: u32,
    /// By how many steps it is ahead of others that are animated as often: give neighbours different ones, and each step
    /// has as much to do.
    pub phase: u32,
    /// The level of detail: each vertex is moved by its strongest influences only, at most so many. A surface that was not
    /// built with the level keeps all of them. Taken over by each step.
    pub max_influences: usize,
    pub(super) id: MemberId,
    pub(super) player: Player,
    pub(super) adjustments: Vec<Adjustment>,
    /// Seconds that it was not animated for.
    pub(super) waiting: f64,
    /// Whether it was ever animated.
    pub(super) begun: bool,
}

impl Member {
    pub(super) fn new(id: MemberId, model: &Model, max_influences: usize) -> Self {
        Self {
            world: Matrix::IDENTITY,
            every: 1,
            phase: 0,
            max_influences,
            id,
            player: Player::new(model),
            adjustments: Vec::new(),
            waiting: 0.0,
            begun: false,
        }
    }

    /// Its name.
    #[must_use]
    pub fn id(&self) -> MemberId {
        self.id
    }

    /// What it is an instance of.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.player.model()
    }

    /// What it plays. A player of another model in its place plays nothing.
    pub fn player(&mut self) -> &mut Player {
        &mut self.player
    }

    /// What is changed after its clips, in order.
    #[must_use]
    pub fn adjustments(&self) -> &[Adjustment] {
        &self.adjustments
    }

    /// Sets what is changed after its clips, in order, in this and all following steps. Points and directions are in model
    /// space. Takes memory only for more than ever before.
    ///
    /// # Errors
    ///
    /// When a joint is not there or not below the one it should be, or a number is not as its adjustment demands. Nothing
    /// is set then.
    pub fn adjust(&mut self, adjustments: &[Adjustment]) -> Result<(), Error> {
        for adjustment in adjustments {
            adjustment.check(self.player.model().skeleton())?;
        }
        self.adjustments.clear();
        self.adjustments.extend_from_slice(adjustments);
        Ok(())
    }

    /// Whether it is animated in this step.
    pub(super) fn is_due(&self, step: u64) -> bool {
        let every = u64::from(self.every.max(1));
        !self.begun || (step + u64::from(self.phase)).is_multiple_of(every)
    }
}
