//! What must hold of a document before anybody follows its indices. (Being written.)
