//! What each probe of a server sends.
