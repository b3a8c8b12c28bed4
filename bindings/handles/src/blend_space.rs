//! Blend spaces: clips at points of a line or a plane.

use sinew::animation::BlendSpace;

use crate::model::element;
use crate::objects::{BLEND_SPACES, model};
use crate::{Error, Handle};

/// A blend space of a model: a clip at each of some points. `coordinates` are one number for each
/// clip, on a line, or two, on a plane.
///
/// # Errors
///
/// If the handle is not of a model, a clip does not exist or shares its name with another one, the
/// number of coordinates fits neither, or the points are too few, not finite, or all on one line of
/// the plane.
#[inline(never)]
pub fn blend_space_new(of: Handle, clips: &[u32], coordinates: &[f32]) -> Result<Handle, Error> {
    let model = model(of)?;
    let name = |&clip: &u32| Ok(element("clip", model.clips(), clip)?.name());
    let names = clips.iter().map(name).collect::<Result<Vec<&str>, Error>>()?;
    let space = if coordinates.len() == names.len() {
        let points: Vec<(&str, f32)> = names.iter().copied().zip(coordinates.iter().copied()).collect();
        BlendSpace::line(model.clip_set(), &points)?
    } else {
        let (pairs, rest) = coordinates.as_chunks::<2>();
        if pairs.len() != names.len() || !rest.is_empty() {
            let expected = format_args!("1 or 2 for each of {} clips", names.len());
            return Err(Error::invalid("coordinates of a blend space", expected, coordinates.len()));
        }
        let points: Vec<(&str, [f32; 2])> = names.iter().copied().zip(pairs.iter().copied()).collect();
        BlendSpace::plane(model.clip_set(), &points)?
    };
    BLEND_SPACES.insert(space)
}
