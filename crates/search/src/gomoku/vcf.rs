//! VCF: wins by continuous fours, each answered by force.
//!
//! Depth first, the strongest threats first, positions that failed kept in a
//! small table. A node is a position in which the attacker moves.

use super::answers::{answers_to_four, spoilers};
use super::cells::Spot;
use super::field::Field;
use super::proof::Proof;
use super::shape::{Class, Shape, ShapeKey};
use stoneline_rules::Side;

/// Slots of the tables of failures.
const SLOTS: usize = 1 << 14;

/// A search for wins by fours.
#[derive(Clone, Debug)]
pub(crate) struct Vcf {
    /// Keys of positions without a win, each in the slot of its low bits.
    failed: Vec<u64>,
    /// The same of searches by linked fours.
    failed_linked: Vec<u64>,
    nodes: u64,
    /// `nodes` at which the search under way gives up.
    end: u64,
}

impl Vcf {
    pub(crate) fn new() -> Self {
        Self::with_slots(SLOTS)
    }

    /// A search that remembers so many failures. Contract: at least one.
    pub(crate) fn with_slots(slots: usize) -> Self {
        Self {
            failed: vec![0; slots],
            failed_linked: vec![0; slots],
            nodes: 0,
            end: 0,
        }
    }

    /// Positions searched since the start.
    pub(crate) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// A win of the side to move by fours, found within so many nodes.
    ///
    /// Contract: nobody has five. The field is as before when it returns.
    pub(crate) fn search(&mut self, field: &mut Field, nodes: u64) -> Option<Proof> {
        // One more: a search that ends in time has not reached the end.
        self.end = self.nodes + nodes + 1;
        if is_hopeless(field, field.side_to_move()) {
            return None;
        }
        self.attack(field)
    }

    /// Stones until linked fours win, if they do within so many nodes.
    ///
    /// A four is linked if its stone makes three or more along another line
    /// too: without such a stone fours come to nothing, but for the rare ones
    /// that meet on a third line. Contract: nobody has five.
    #[inline]
    pub(crate) fn plies(&mut self, field: &mut Field, nodes: u64) -> Option<u16> {
        if is_hopeless(field, field.side_to_move()) {
            return None;
        }
        if field.ground().has_open_ends() {
            return self.search(field, nodes).map(|proof| proof.plies());
        }
        self.end = self.nodes + nodes + 1;
        self.attack_quickly(field)
    }

    /// Whether the last search gave up for want of nodes.
    pub(crate) const fn gave_up(&self) -> bool {
        self.nodes >= self.end
    }

    fn attack(&mut self, field: &mut Field) -> Option<Proof> {
        let (own, other) = (field.side_to_move(), !field.side_to_move());
        if let Some(five) = field.threats(own, Class::Five).first() {
            return Some(Proof::five(field.ground().cell(five)));
        }
        self.nodes += 1;
        if self.nodes >= self.end {
            return None;
        }
        let slot = field.key() as usize % self.failed.len();
        if self.failed[slot] == field.key() {
            return None;
        }
        let mut moves = Moves::default();
        if field.count(other, Class::Five) > 0 {
            for spot in answers_to_four(field, other).iter() {
                moves.add(field, own, spot);
            }
        } else {
            for class in [Class::OpenFour, Class::FourThree, Class::Four] {
                for spot in field.threats(own, class).iter() {
                    moves.add(field, own, spot);
                }
            }
            moves.sort();
        }
        for at in 0..moves.len {
            if let Some(proof) = self.four(field, moves.spots[at].1) {
                return Some(proof);
            }
        }
        if self.nodes < self.end {
            self.failed[slot] = field.key();
        }
        None
    }

    /// Stones until fours win. Contract: a four has one answer at most.
    fn attack_quickly(&mut self, field: &mut Field) -> Option<u16> {
        let (own, other) = (field.side_to_move(), !field.side_to_move());
        if field.count(own, Class::Five) > 0 {
            return Some(1);
        }
        self.nodes += 1;
        if self.nodes >= self.end {
            return None;
        }
        let slot = field.key() as usize % self.failed.len();
        if self.failed_linked[slot] == field.key() {
            return None;
        }
        let mut moves = Moves::default();
        if field.count(other, Class::Five) > 0 {
            if let Some(answer) = answers_to_four(field, other).first() {
                moves.add(field, own, answer);
            }
        } else {
            let mut open = field.threats(own, Class::OpenFour).iter();
            if field.count(own, Class::OpenFour) > 0 && open.any(|spot| field.allows(own, spot)) {
                return Some(3);
            }
            for class in [Class::FourThree, Class::Four] {
                if field.count(own, class) > 0 {
                    for spot in field.threats(own, class).iter() {
                        if is_linked(field.shape_key(own, spot)) {
                            moves.add(field, own, spot);
                        }
                    }
                }
            }
            moves.sort();
        }
        for at in 0..moves.len {
            let (_, spot) = moves.spots[at];
            if field.allows(own, spot) {
                field.play(spot);
                let plies = self.answer_quickly(field, own);
                field.undo();
                if plies.is_some() {
                    return plies;
                }
            }
        }
        if self.nodes < self.end {
            self.failed_linked[slot] = field.key();
        }
        None
    }

    /// Stones until `own`, whose four was just made, wins, that four included.
    fn answer_quickly(&mut self, field: &mut Field, own: Side) -> Option<u16> {
        if field.count(own, Class::Five) == 0 {
            return None;
        }
        let Some(answer) = answers_to_four(field, own).first() else {
            return Some(3);
        };
        field.play(answer);
        let plies = self.attack_quickly(field);
        field.undo();
        plies.map(|plies| plies + 2)
    }

    /// The win by the four at `spot`, if it is one.
    fn four(&mut self, field: &mut Field, spot: Spot) -> Option<Proof> {
        let own = field.side_to_move();
        if !field.allows(own, spot) {
            return None;
        }
        field.play(spot);
        let proof = self.answered(field, spot, own);
        field.undo();
        proof
    }

    fn answered(&mut self, field: &mut Field, spot: Spot, own: Side) -> Option<Proof> {
        let ground = std::sync::Arc::clone(field.ground());
        let five = field.threats(own, Class::Five).first()?;
        let replies = answers_to_four(field, own);
        let mut answers = Vec::new();
        for reply in replies.iter() {
            field.play(reply);
            let win = self.attack(field);
            field.undo();
            answers.push((ground.cell(reply), win?));
        }
        // What stops one five and leaves another.
        for reply in spoilers(field, own, five) {
            let rest = field
                .threats(own, Class::Five)
                .iter()
                .find(|&rest| rest != reply && field.class_after(own, rest, reply) == Class::Five);
            if let Some(rest) = rest.filter(|_| !replies.contains(reply)) {
                answers.push((ground.cell(reply), Proof::five(ground.cell(rest))));
            }
        }
        let threat = Proof::five(ground.cell(five));
        Some(Proof::new(ground.cell(spot), answers, threat))
    }
}

/// Whether there is not even a four to begin with.
#[inline]
pub(crate) fn is_hopeless(field: &Field, side: Side) -> bool {
    let classes = [Class::Five, Class::OpenFour, Class::FourThree, Class::Four];
    classes.iter().all(|&class| field.count(side, class) == 0)
}

/// Whether at least two of four shapes are threes or more.
#[inline(always)]
const fn is_linked(key: ShapeKey) -> bool {
    // A nibble of a sleeping three or more reaches 8 with 3 added, and none passes 15.
    const ADDEND: ShapeKey = 0x1111 * (8 - Shape::SleepingThree as ShapeKey);
    ((key + ADDEND) & 0x8888).count_ones() >= 2
}

/// Most fours that are tried in a position.
const WIDTH: usize = 48;

/// Fours, with what they promise.
struct Moves {
    spots: [(i32, Spot); WIDTH],
    len: usize,
}

impl Default for Moves {
    fn default() -> Self {
        Self {
            spots: [(0, 0); WIDTH],
            len: 0,
        }
    }
}

impl Moves {
    fn add(&mut self, field: &Field, side: Side, spot: Spot) {
        let class = field.class(side, spot);
        if class >= Class::Four && self.len < WIDTH {
            let key = field.shape_key(side, spot);
            let promise = field.ground().weights().promise(key) + ((class as i32) << 16);
            self.spots[self.len] = (promise, spot);
            self.len += 1;
        }
    }

    fn sort(&mut self) {
        self.spots[..self.len].sort_unstable_by(|one, other| other.cmp(one));
    }
}
