//! Cameras, which are checked and not kept.

use super::enum_value::{EnumValue, Named, Names};
use crate::error::BoxedError as Error;
use crate::json::Value;

pub(crate) struct Camera;

impl Camera {
    pub(super) fn read(value: Value<'_>) -> Result<Self, Error> {
        let [name, orthographic, perspective, type_, extensions] =
            value.fields(&["name", "orthographic", "perspective", "type", "extensions"])?;
        name.check_string()?;
        extensions.check_object()?;
        EnumValue::<Type>::read(type_.required()?)?;
        if let Some(orthographic) = orthographic.some() {
            for size in orthographic.fields(&["xmag", "ymag", "zfar", "znear"])? {
                size.required()?.f32()?;
            }
        }
        if let Some(perspective) = perspective.some() {
            let [aspect_ratio, yfov, zfar, znear] =
                perspective.fields(&["aspectRatio", "yfov", "zfar", "znear"])?;
            aspect_ratio.f32()?;
            yfov.required()?.f32()?;
            zfar.f32()?;
            znear.required()?.f32()?;
        }
        Ok(Self)
    }
}

#[derive(Clone, Copy)]
enum Type {
    Perspective,
    Orthographic,
}

impl Named for Type {
    const NAMES: Names = Names::Words(&["perspective", "orthographic"]);
    const VALUES: &'static [Self] = &[Self::Perspective, Self::Orthographic];
}
