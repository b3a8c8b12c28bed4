//! DOOM 3 MD5. (Being written.)
