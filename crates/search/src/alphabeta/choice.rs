//! Which evaluation estimates positions: a name, or a file that holds a network.

use crate::neural::Net;
use crate::params::Setting;
use std::path::Path;
use std::sync::Arc;

/// What estimates a position that is not searched further.
#[derive(Clone)]
pub(crate) enum Eval {
    /// The network that ships.
    Net,
    /// Open windows of k by their stones and by who gets their empty cells.
    Shape,
    /// A network from a file, with the text that named it.
    File(String, Arc<Net>),
}

impl Eval {
    /// The network to estimate with; `None` for the static evaluation.
    pub(super) fn net(&self) -> Option<Arc<Net>> {
        match self {
            Self::Net => Some(Net::shipped()),
            Self::Shape => None,
            Self::File(_, net) => Some(Arc::clone(net)),
        }
    }
}

impl PartialEq for Eval {
    fn eq(&self, other: &Self) -> bool {
        self.show() == other.show()
    }
}

impl std::fmt::Debug for Eval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.show())
    }
}

impl Setting for Eval {
    type Range = std::ops::RangeFull;

    fn read(text: &str, _: &Self::Range) -> Result<Self, String> {
        match text {
            "net" => Ok(Self::Net),
            "shape" => Ok(Self::Shape),
            file => match Net::load(Path::new(file)) {
                Ok((net, _)) => Ok(Self::File(file.to_owned(), Arc::new(net))),
                Err(error) => Err(format!("expected net, shape or a file of a net; {error}")),
            },
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Net => "net".to_owned(),
            Self::Shape => "shape".to_owned(),
            Self::File(name, _) => name.clone(),
        }
    }

    fn describe(_: &Self::Range) -> String {
        "net, shape or a file of a net".to_owned()
    }
}
