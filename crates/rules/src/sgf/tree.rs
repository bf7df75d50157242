//! The game tree of SGF as text: nodes and properties along the main line.
//!
//! The tree is walked with a counter of open parentheses, never by recursion,
//! so that no nesting is too deep.

use crate::read_error::{ReadError, excerpt};

/// The properties of a node, in order.
pub(super) type Node<'a> = Vec<Property<'a>>;

/// `NAME[value][value]`: at least one value.
pub(super) struct Property<'a> {
    /// The capitals of the name: older files spell `B` as `Black`.
    pub name: String,
    /// Where the property stands.
    pub at: &'a str,
    pub values: Vec<Value<'a>>,
}

/// A property's value as it stands between the brackets.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub raw: &'a str,
}

impl Value<'_> {
    /// The text that the value means, its line breaks kept.
    pub(super) fn text(self) -> String {
        let unix = self.raw.replace("\r\n", "\n");
        let mut text = String::with_capacity(unix.len());
        let mut signs = unix.chars();
        while let Some(sign) = signs.next() {
            match sign {
                // An escaped line break is no line break at all.
                '\\' => text.extend(signs.next().filter(|&escaped| escaped != '\n')),
                _ => text.push(sign),
            }
        }
        text
    }

    /// The text in one line.
    pub(super) fn simple_text(self) -> String {
        self.text().replace('\n', " ")
    }
}

/// The nodes of the main line: in each tree, of all variations the first.
pub(super) struct MainLine<'a> {
    text: &'a str,
    at: usize,
    /// Parentheses open here.
    depth: usize,
    ended: bool,
}

impl<'a> MainLine<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            ended: false,
        }
    }

    /// The next node; `None` when the main line has ended and all its parentheses are closed.
    pub(super) fn next_node(&mut self) -> Result<Option<Node<'a>>, ReadError> {
        while !self.ended {
            match self.sign() {
                Some('(') => {
                    self.at += 1;
                    self.depth += 1;
                    if self.sign() != Some(';') {
                        return Err(self.wrong("expected ; and a node after ("));
                    }
                }
                Some(';') if self.depth > 0 => {
                    self.at += 1;
                    return self.node().map(Some);
                }
                Some(')') if self.depth > 0 => {
                    self.skip_variations()?;
                    self.ended = true;
                }
                Some(sign) => {
                    let expected = if self.depth == 0 {
                        "(;"
                    } else {
                        "one of ( ; )"
                    };
                    return Err(self.wrong(format!("expected {expected}, found {sign:?}")));
                }
                None if self.depth > 0 => return Err(self.unclosed()),
                None => return Err(self.wrong("expected a game tree: (;")),
            }
        }
        Ok(None)
    }

    fn node(&mut self) -> Result<Node<'a>, ReadError> {
        let mut properties = Node::new();
        while let Some(sign) = self.sign() {
            if matches!(sign, '(' | ')' | ';') {
                break;
            }
            properties.push(self.property()?);
        }
        Ok(properties)
    }

    fn property(&mut self) -> Result<Property<'a>, ReadError> {
        let at = &self.text[self.at..];
        let end = at
            .find(|sign: char| !sign.is_ascii_alphabetic())
            .unwrap_or(at.len());
        let name: String = at[..end].chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            let found = at.chars().next().unwrap_or_default();
            return Err(self.wrong(format!("expected a property in capitals, found {found:?}")));
        }
        self.at += end;
        let mut values = Vec::new();
        while self.sign() == Some('[') {
            let raw = self.value()?;
            values.push(Value { raw });
        }
        if values.is_empty() {
            return Err(self.wrong(format!("expected [ and a value of {}", excerpt(&name))));
        }
        Ok(Property { name, at, values })
    }

    /// What stands between the bracket here and the one that closes it.
    fn value(&mut self) -> Result<&'a str, ReadError> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b']' => {
                    self.at = end + 1;
                    return Ok(&self.text[start..end]);
                }
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        Err(self.wrong("the bracket [ is never closed"))
    }

    /// Skips to the end of the first game, other variations included.
    fn skip_variations(&mut self) -> Result<(), ReadError> {
        while self.depth > 0 {
            match self.sign() {
                Some('(') => self.depth += 1,
                Some(')') => self.depth -= 1,
                Some('[') => {
                    self.value()?;
                    continue;
                }
                Some(_) => {}
                None => return Err(self.unclosed()),
            }
            self.at += self.sign().map_or(0, char::len_utf8);
        }
        Ok(())
    }

    /// The next character that is no space, reached but not passed.
    fn sign(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let start =
            rest.trim_start_matches(|sign: char| sign.is_whitespace() || sign == '\u{feff}');
        self.at += rest.len() - start.len();
        start.chars().next()
    }

    fn unclosed(&self) -> ReadError {
        self.wrong(format!("the text ends with {} of ( not closed", self.depth))
    }

    fn wrong(&self, reason: impl Into<String>) -> ReadError {
        ReadError::at(self.text, self.at, reason)
    }
}
