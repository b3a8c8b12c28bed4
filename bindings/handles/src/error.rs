//! Error codes and texts.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What went wrong, as a number. Numbers keep their meaning; new ones may be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Code {
    /// Nothing: the call succeeded.
    Ok = 0,
    /// A pointer is null although its length is not zero, or must not be null.
    NullPointer = 1,
    /// A length does not fit into the address space, or an array is misaligned or overlaps another.
    BadPointer = 2,
    /// A handle is zero.
    NullHandle = 3,
    /// A number is no handle.
    BadHandle = 4,
    /// A handle is of another kind of object.
    WrongKind = 5,
    /// A handle is of an object that was destroyed, or never existed.
    StaleHandle = 6,
    /// An object is in use by another thread, or by a call further up the stack.
    Busy = 7,
    /// A text is not UTF-8.
    BadText = 8,
    /// A struct has a size that no version of it has.
    BadStructSize = 9,
    /// An array or buffer has the wrong length.
    Length = 10,
    /// An index is out of range.
    OutOfRange = 11,
    /// A name is unknown or not unique.
    Name = 12,
    /// A value is not allowed.
    InvalidValue = 13,
    /// A file could not be read or written.
    Io = 14,
    /// A file is not valid.
    InvalidFile = 15,
    /// A file exists already.
    FileExists = 16,
    /// This build lacks the feature.
    Unsupported = 17,
    /// A limit of the library.
    Limit = 18,
    /// A fault of the library itself. The objects that the call used can only be destroyed.
    Internal = 19,
}

impl Code {
    /// All codes, in the order of their numbers.
    pub const ALL: [Self; 20] = [
        Self::Ok,
        Self::NullPointer,
        Self::BadPointer,
        Self::NullHandle,
        Self::BadHandle,
        Self::WrongKind,
        Self::StaleHandle,
        Self::Busy,
        Self::BadText,
        Self::BadStructSize,
        Self::Length,
        Self::OutOfRange,
        Self::Name,
        Self::InvalidValue,
        Self::Io,
        Self::InvalidFile,
        Self::FileExists,
        Self::Unsupported,
        Self::Limit,
        Self::Internal,
    ];

    /// The code in a few words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Ok => "success",
            Self::NullPointer => "null pointer",
            Self::BadPointer => "bad pointer or length",
            Self::NullHandle => "null handle",
            Self::BadHandle => "not a handle",
            Self::WrongKind => "handle of another kind",
            Self::StaleHandle => "stale handle",
            Self::Busy => "object in use",
            Self::BadText => "text is not UTF-8",
            Self::BadStructSize => "unknown struct size",
            Self::Length => "wrong length",
            Self::OutOfRange => "index out of range",
            Self::Name => "unknown or ambiguous name",
            Self::InvalidValue => "invalid value",
            Self::Io => "file not readable or writable",
            Self::InvalidFile => "invalid file",
            Self::FileExists => "file exists",
            Self::Unsupported => "not in this build",
            Self::Limit => "limit exceeded",
            Self::Internal => "internal error",
        }
    }
}

/// An error: a code, and a text that says which, what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The code.
    pub code: Code,
    /// The text.
    pub message: String,
}

impl Error {
    /// An error with a text.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// An index that is not below a length.
    #[cold]
    pub(crate) fn out_of_range(what: &str, len: usize, found: usize) -> Self {
        Self::new(Code::OutOfRange, format!("expected a {what} below {len}, found {found}"))
    }

    /// A value that is not allowed.
    #[cold]
    pub(crate) fn invalid(what: &str, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::new(Code::InvalidValue, format!("{what}: expected {expected}, found {found}"))
    }

    /// What a panic said.
    #[cold]
    #[inline(never)]
    fn of_panic(panic: Box<dyn Any + Send>) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let message = format!("internal error: {}", text.unwrap_or("no text"));
        // Dropping a foreign panic value could panic again.
        std::mem::forget(panic);
        Self::new(Code::Internal, message)
    }

    /// Keeps the error as the last one of this thread.
    pub fn remember(&self) {
        LAST.with_borrow_mut(|last| {
            last.clear();
            last.push_str(&self.message);
        });
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Calls a function with the text of this thread's last error; empty if there was none.
pub fn with_last_error<R>(read: impl FnOnce(&str) -> R) -> R {
    LAST.with_borrow(|last| read(last))
}

/// Runs a call, turning a panic into an error. What it changed may be unfinished; objects that it
/// had locked for writing refuse further use.
///
/// # Errors
///
/// Those of the call, and [`Code::Internal`] after a panic.
#[inline]
pub fn catch<R>(call: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result,
        Err(panic) => Err(Error::of_panic(panic)),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

macro_rules! from_library_errors {
    ($($error:ty)*) => {
        $(impl From<$error> for Error {
            #[cold]
            fn from(error: $error) -> Self {
                let error = sinew::Error::from(error);
                Self::new(code_of(&error), error.to_string())
            }
        })*
    };
}

from_library_errors! {
    sinew::Error
    sinew::animation::AnimationError
    sinew::bounds::BoundsError
    sinew::crowd::CrowdError
    sinew::mesh::MeshError
    sinew::model::ModelError
    sinew::query::QueryError
    sinew::runtime::Unavailable
    sinew::skeleton::NameError
    sinew::skeleton::SkeletonError
    sinew::skinning::SkinningError
}

impl From<sinew::skinning::VertexLayoutError> for Error {
    fn from(error: sinew::skinning::VertexLayoutError) -> Self {
        sinew::skinning::SkinningError::from(error).into()
    }
}

#[cfg(feature = "io")]
impl From<sinew_io::Error> for Error {
    fn from(error: sinew_io::Error) -> Self {
        let code = match &error {
            sinew_io::Error::Io { .. } | sinew_io::Error::Write { .. } => Code::Io,
            sinew_io::Error::Exists { .. } => Code::FileExists,
            _ => Code::InvalidFile,
        };
        Self::new(code, error.to_string())
    }
}

/// The code of an error of the library.
fn code_of(error: &sinew::Error) -> Code {
    use sinew::animation::AnimationError;
    use sinew::bounds::BoundsError;
    use sinew::crowd::CrowdError;
    use sinew::geometry::GeometryError;
    use sinew::mesh::MeshError;
    use sinew::model::ModelError;
    use sinew::query::QueryError;
    use sinew::skeleton::SkeletonError;
    use sinew::skinning::{SkinningError, VertexLayoutError};

    fn layout(error: &VertexLayoutError) -> Code {
        match error {
            VertexLayoutError::BufferTooShort { .. } | VertexLayoutError::BufferCount { .. } => Code::Length,
            VertexLayoutError::BufferMisaligned { .. } => Code::BadPointer,
            _ => Code::InvalidValue,
        }
    }
    fn skinning(error: &SkinningError) -> Code {
        match error {
            SkinningError::Length(_) => Code::Length,
            SkinningError::WindowOutOfBounds { .. } => Code::OutOfRange,
            SkinningError::VertexLayout(error) => layout(error),
            _ => Code::InvalidValue,
        }
    }
    fn skeleton(error: &SkeletonError) -> Code {
        match error {
            SkeletonError::Length(_) => Code::Length,
            SkeletonError::Name(_) => Code::Name,
            SkeletonError::JointOutOfRange { .. } => Code::OutOfRange,
            SkeletonError::Backend(_) => Code::Unsupported,
            _ => Code::InvalidValue,
        }
    }
    fn animation(error: &AnimationError) -> Code {
        match error {
            AnimationError::Length(_) => Code::Length,
            AnimationError::Name(_) => Code::Name,
            AnimationError::Skeleton(error) => skeleton(error),
            AnimationError::ModifierNotFound { .. } => Code::StaleHandle,
            _ => Code::InvalidValue,
        }
    }
    fn query(error: &QueryError) -> Code {
        match error {
            QueryError::Length(_) => Code::Length,
            QueryError::Skinning(error) => skinning(error),
            _ => Code::InvalidValue,
        }
    }
    fn model(error: &ModelError) -> Code {
        match error {
            ModelError::Length(_) => Code::Length,
            ModelError::Name(_) => Code::Name,
            ModelError::Skeleton(error) => skeleton(error),
            ModelError::Animation(error) => animation(error),
            ModelError::Skinning(error) => skinning(error),
            ModelError::Query(error) => query(error),
            ModelError::MeshInstanceOutOfRange { .. } | ModelError::ClipOutOfRange { .. } => Code::OutOfRange,
            _ => Code::InvalidValue,
        }
    }
    match error {
        sinew::Error::Backend(_) => Code::Unsupported,
        sinew::Error::Length(_) => Code::Length,
        sinew::Error::Name(_) => Code::Name,
        sinew::Error::Skeleton(error) => skeleton(error),
        sinew::Error::Animation(error) => animation(error),
        sinew::Error::Mesh(MeshError::Length(_)) => Code::Length,
        sinew::Error::Skinning(error) => skinning(error),
        sinew::Error::Geometry(GeometryError::Length(_)) => Code::Length,
        sinew::Error::Bounds(BoundsError::Length(_)) => Code::Length,
        sinew::Error::Query(error) => query(error),
        sinew::Error::Model(error) => model(error),
        sinew::Error::Crowd(error) => match error {
            CrowdError::Length(_) => Code::Length,
            CrowdError::Animation(error) => animation(error),
            CrowdError::Skinning(error) => skinning(error),
            CrowdError::Model(error) => model(error),
            CrowdError::MemberNotFound { .. } => Code::StaleHandle,
            CrowdError::ModelOutOfRange { .. } => Code::OutOfRange,
            _ => Code::InvalidValue,
        },
        _ => Code::InvalidValue,
    }
}
