//! What somebody expects, held against what came back.
//!
//! An [`Expectation`] is about calls: their order, their arguments, how many there were, and under whose name they ran. It looks at
//! calls as [`Made`], whoever recorded them, and says in a [`Miss`] where they first go another way. Beneath it lies the one matcher
//! for values: of an object a part, of a list every item.
//!
//! An expectation that no call could break does not hold: a test that cannot fail reads as one that passed.
//!
//! What may not enter: where the calls and values come from.

mod arguments;
mod calls;
mod expectation;
mod file;
mod log;
mod made;
mod matcher;
mod miss;
mod pattern;
mod words;

pub use arguments::Arguments;
pub use expectation::Expectation;
pub use file::{ABOUT_EXPECTATIONS, ExpectationError, ExpectationFile};
pub use log::CallLog;
pub use made::{Made, Whose};
pub(crate) use matcher::Matcher;
pub use miss::Miss;
pub(crate) use pattern::Pattern;
