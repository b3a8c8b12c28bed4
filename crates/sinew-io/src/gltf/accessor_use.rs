//! The element and component types that an accessor may have, depending on its use.

use super::accessor::Layout;
use super::schema::accessor::{ComponentType, Type};

/// What an accessor is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessorUse {
    Position,
    Normal,
    Tangent,
    TextureCoordinate,
    Color,
    Weights,
    MorphDelta,
    Matrices,
    Times,
    Rotation,
    Translation,
    Scale,
    MorphWeights,
}

/// Whether an accessor may have a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TypeSupport {
    Allowed,
    /// Only with `KHR_mesh_quantization`.
    Quantized,
    Refused,
}

impl AccessorUse {
    pub(crate) fn type_support(self, layout: &Layout) -> TypeSupport {
        if !self.accepts_shape(layout.shape) {
            return TypeSupport::Refused;
        }
        if layout.component == ComponentType::F32 || self.accepts_integers(layout) {
            return TypeSupport::Allowed;
        }
        if self.accepts_quantized(layout) { TypeSupport::Quantized } else { TypeSupport::Refused }
    }

    /// Whether it is a vertex attribute, which may be interleaved.
    pub(crate) fn is_attribute(self) -> bool {
        match self {
            Self::Position | Self::Normal | Self::Tangent | Self::TextureCoordinate => true,
            Self::Color | Self::Weights | Self::MorphDelta => true,
            Self::Matrices | Self::Times | Self::Rotation | Self::Translation => false,
            Self::Scale | Self::MorphWeights => false,
        }
    }

    /// The allowed types, for messages.
    pub(crate) fn allowed_types(self) -> &'static str {
        match self {
            Self::Position => "VEC3 of f32, or of 8 or 16 bits with KHR_mesh_quantization",
            Self::Normal => "VEC3 of f32, or of normalized i8 or i16 with KHR_mesh_quantization",
            Self::Tangent => "VEC4 of f32, or of normalized i8 or i16 with KHR_mesh_quantization",
            Self::TextureCoordinate => {
                "VEC2 of f32, normalized u8 or u16, or of 8 or 16 bits with KHR_mesh_quantization"
            }
            Self::Color => "VEC3 or VEC4 of f32, normalized u8 or u16",
            Self::Weights => "VEC4 of f32, normalized u8 or u16",
            Self::MorphDelta => "VEC3 of f32, or of i8 or i16 with KHR_mesh_quantization",
            Self::Matrices => "MAT4 of f32",
            Self::Times => "SCALAR of f32",
            Self::Rotation => "VEC4 of f32 or normalized integers of 8 or 16 bits",
            Self::Translation | Self::Scale => "VEC3 of f32",
            Self::MorphWeights => "SCALAR of f32 or normalized integers of 8 or 16 bits",
        }
    }

    fn accepts_shape(self, shape: Type) -> bool {
        match self {
            Self::Position | Self::Normal | Self::MorphDelta | Self::Translation | Self::Scale => {
                shape == Type::Vec3
            }
            Self::Tangent | Self::Weights | Self::Rotation => shape == Type::Vec4,
            Self::TextureCoordinate => shape == Type::Vec2,
            Self::Color => matches!(shape, Type::Vec3 | Type::Vec4),
            Self::Matrices => shape == Type::Mat4,
            Self::Times | Self::MorphWeights => shape == Type::Scalar,
        }
    }

    /// Whether glTF allows the integers without extensions. All of these are normalized.
    fn accepts_integers(self, layout: &Layout) -> bool {
        use ComponentType::{U8, U16};
        let unsigned = matches!(layout.component, U8 | U16);
        layout.normalized
            && match self {
                Self::TextureCoordinate | Self::Color | Self::Weights => unsigned,
                Self::Rotation | Self::MorphWeights => is_small(layout.component),
                _ => false,
            }
    }

    fn accepts_quantized(self, layout: &Layout) -> bool {
        use ComponentType::{I8, I16};
        let signed = matches!(layout.component, I8 | I16);
        match self {
            Self::Position | Self::TextureCoordinate => is_small(layout.component),
            Self::Normal | Self::Tangent => signed && layout.normalized,
            Self::MorphDelta => signed,
            _ => false,
        }
    }
}

fn is_small(component: ComponentType) -> bool {
    !matches!(component, ComponentType::F32 | ComponentType::U32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn support(of: AccessorUse, shape: Type, component: ComponentType, normalized: bool) -> TypeSupport {
        let layout = Layout {
            count: 1,
            shape,
            component,
            normalized,
            view: None,
            offset: 0,
            stride: 4,
            sparse_layout: None,
        };
        of.type_support(&layout)
    }

    #[test]
    fn attributes_take_small_integers_only_with_quantization() {
        use ComponentType::{F32, I8, I16, U8, U16, U32};
        assert_eq!(support(AccessorUse::Position, Type::Vec3, F32, false), TypeSupport::Allowed);
        for component in [I8, U8, I16, U16] {
            assert_eq!(support(AccessorUse::Position, Type::Vec3, component, false), TypeSupport::Quantized);
        }
        assert_eq!(support(AccessorUse::Position, Type::Vec3, U32, false), TypeSupport::Refused);
        assert_eq!(support(AccessorUse::Normal, Type::Vec3, I8, true), TypeSupport::Quantized);
        assert_eq!(support(AccessorUse::Normal, Type::Vec3, I8, false), TypeSupport::Refused);
        assert_eq!(support(AccessorUse::Normal, Type::Vec3, U8, true), TypeSupport::Refused);
        assert_eq!(support(AccessorUse::TextureCoordinate, Type::Vec2, U16, true), TypeSupport::Allowed);
        assert_eq!(support(AccessorUse::TextureCoordinate, Type::Vec2, U16, false), TypeSupport::Quantized);
    }

    #[test]
    fn weights_and_rotations_are_normalized() {
        use ComponentType::{I16, U8};
        assert_eq!(support(AccessorUse::Weights, Type::Vec4, U8, true), TypeSupport::Allowed);
        assert_eq!(support(AccessorUse::Weights, Type::Vec4, U8, false), TypeSupport::Refused);
        assert_eq!(support(AccessorUse::Rotation, Type::Vec4, I16, true), TypeSupport::Allowed);
        assert_eq!(support(AccessorUse::Rotation, Type::Vec3, I16, true), TypeSupport::Refused);
        assert_eq!(support(AccessorUse::Translation, Type::Vec3, I16, true), TypeSupport::Refused);
    }
}
