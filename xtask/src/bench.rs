//! What frankly costs, against what it stands beside, in one run.

pub mod spy;
