//! Which kinds of foreign players there are: the one list where they plug in.

use crate::player::Scheme;

/// Every kind, by what stands before the colon in a player's text.
pub(crate) static SCHEMES: &[Scheme] = &[];
