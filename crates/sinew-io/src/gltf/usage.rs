//! Which types an accessor may have, by what it is used for.

use super::accessor::Layout;
use super::schema::accessor::{ComponentType, Type};

/// What an accessor is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Position,
    Normal,
    Tangent,
    TextureCoordinate,
    Colour,
    Weights,
    MorphDelta,
    Matrices,
    Times,
    Rotation,
    Translation,
    Scale,
    MorphWeights,
}

/// Whether a type may be used so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    /// Only with `KHR_mesh_quantization`.
    Quantized,
    Refused,
}

impl Use {
    pub(crate) fn judge(self, layout: &Layout) -> Verdict {
        if !self.takes_shape(layout.shape) {
            return Verdict::Refused;
        }
        if layout.component == ComponentType::F32 || self.takes_integers(layout) {
            return Verdict::Allowed;
        }
        if self.takes_quantized(layout) { Verdict::Quantized } else { Verdict::Refused }
    }

    /// Whether it is read by vertex, so that its view may be interleaved.
    pub(crate) fn is_attribute(self) -> bool {
        match self {
            Self::Position | Self::Normal | Self::Tangent | Self::TextureCoordinate => true,
            Self::Colour | Self::Weights | Self::MorphDelta => true,
            Self::Matrices | Self::Times | Self::Rotation | Self::Translation => false,
            Self::Scale | Self::MorphWeights => false,
        }
    }

    /// What is allowed, in words.
    pub(crate) fn allowed(self) -> &'static str {
        match self {
            Self::Position => "VEC3 of f32, or of 8 or 16 bits with KHR_mesh_quantization",
            Self::Normal => "VEC3 of f32, or of normalised i8 or i16 with KHR_mesh_quantization",
            Self::Tangent => "VEC4 of f32, or of normalised i8 or i16 with KHR_mesh_quantization",
            Self::TextureCoordinate => {
                "VEC2 of f32, normalised u8 or u16, or of 8 or 16 bits with KHR_mesh_quantization"
            }
            Self::Colour => "VEC3 or VEC4 of f32, normalised u8 or u16",
            Self::Weights => "VEC4 of f32, normalised u8 or u16",
            Self::MorphDelta => "VEC3 of f32, or of i8 or i16 with KHR_mesh_quantization",
            Self::Matrices => "MAT4 of f32",
            Self::Times => "SCALAR of f32",
            Self::Rotation => "VEC4 of f32 or normalised integers of 8 or 16 bits",
            Self::Translation | Self::Scale => "VEC3 of f32",
            Self::MorphWeights => "SCALAR of f32 or normalised integers of 8 or 16 bits",
        }
    }

    fn takes_shape(self, shape: Type) -> bool {
        match self {
            Self::Position | Self::Normal | Self::MorphDelta | Self::Translation | Self::Scale => {
                shape == Type::Vec3
            }
            Self::Tangent | Self::Weights | Self::Rotation => shape == Type::Vec4,
            Self::TextureCoordinate => shape == Type::Vec2,
            Self::Colour => matches!(shape, Type::Vec3 | Type::Vec4),
            Self::Matrices => shape == Type::Mat4,
            Self::Times | Self::MorphWeights => shape == Type::Scalar,
        }
    }

    /// Integers that glTF takes without extensions. All of them are normalised.
    fn takes_integers(self, layout: &Layout) -> bool {
        use ComponentType::{U8, U16};
        let unsigned = matches!(layout.component, U8 | U16);
        layout.normalized
            && match self {
                Self::TextureCoordinate | Self::Colour | Self::Weights => unsigned,
                Self::Rotation | Self::MorphWeights => small(layout.component),
                _ => false,
            }
    }

    fn takes_quantized(self, layout: &Layout) -> bool {
        use ComponentType::{I8, I16};
        let signed = matches!(layout.component, I8 | I16);
        match self {
            Self::Position | Self::TextureCoordinate => small(layout.component),
            Self::Normal | Self::Tangent => signed && layout.normalized,
            Self::MorphDelta => signed,
            _ => false,
        }
    }
}

fn small(component: ComponentType) -> bool {
    !matches!(component, ComponentType::F32 | ComponentType::U32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(of: Use, shape: Type, component: ComponentType, normalized: bool) -> Verdict {
        let layout = Layout {
            count: 1,
            shape,
            component,
            normalized,
            view: None,
            offset: 0,
            stride: 4,
            substitutes: None,
        };
        of.judge(&layout)
    }

    #[test]
    fn attributes_take_small_integers_only_with_quantization() {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        assert_eq!(verdict(Use::Position, Type::Vec3, F32, false), Verdict::Allowed);
        for component in [I8, U8, I16, U16] {
            assert_eq!(verdict(Use::Position, Type::Vec3, component, false), Verdict::Quantized);
        }
        assert_eq!(verdict(Use::Position, Type::Vec3, U32, false), Verdict::Refused);
        assert_eq!(verdict(Use::Normal, Type::Vec3, I8, true), Verdict::Quantized);
        assert_eq!(verdict(Use::Normal, Type::Vec3, I8, false), Verdict::Refused);
        assert_eq!(verdict(Use::Normal, Type::Vec3, U8, true), Verdict::Refused);
        assert_eq!(verdict(Use::TextureCoordinate, Type::Vec2, U16, true), Verdict::Allowed);
        assert_eq!(verdict(Use::TextureCoordinate, Type::Vec2, U16, false), Verdict::Quantized);
    }

    #[test]
    fn weights_and_rotations_are_normalised() {
        use ComponentType::{I16, U8};
        assert_eq!(verdict(Use::Weights, Type::Vec4, U8, true), Verdict::Allowed);
        assert_eq!(verdict(Use::Weights, Type::Vec4, U8, false), Verdict::Refused);
        assert_eq!(verdict(Use::Rotation, Type::Vec4, I16, true), Verdict::Allowed);
        assert_eq!(verdict(Use::Rotation, Type::Vec3, I16, true), Verdict::Refused);
        assert_eq!(verdict(Use::Translation, Type::Vec3, I16, true), Verdict::Refused);
    }
}
