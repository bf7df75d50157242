//! VCT: wins by continuous threes and fours, by proof numbers.
//!
//! Attacker's moves are fours and open threes. Before the defender moves, the
//! attacker must threaten a win by fours, or it was no threat; the defender's
//! moves are the cells of that win and his own fours. Whether other replies
//! help is asked when all is proven: one that does becomes a move of its
//! position, and the search goes on.

use super::answers::answers_to_four;
use super::cells::{CellSet, Spot};
use super::field::Field;
use super::proof::Proof;
use super::shape::Class;
use super::vcf::Vcf;
use std::collections::HashMap;
use stoneline_rules::Side;

/// Proof numbers from here on mean never.
const NEVER: u32 = 1 << 28;
/// Nodes of each search by fours while numbers are counted.
const VCF_NODES: u64 = 400;
/// Nodes of a search by fours when the proof is written down.
const VCF_NODES_FINAL: u64 = 200_000;
/// Bytes that a position takes, its moves and its share of the map's room included.
const POSITION_BYTES: usize = 128;

#[derive(Clone, Debug)]
struct Node {
    proof: u32,
    disproof: u32,
    moves: Box<[Spot]>,
}

/// What ended a search without an answer.
enum Stop {
    /// The caller did, or memory is full.
    Spent,
    /// A reply that was left out needs an answer.
    Again,
}

/// A search for wins by threes and fours.
pub(crate) struct Vct<'a> {
    attacker: Side,
    nodes: HashMap<u64, Node>,
    /// How many positions fit into the memory that is allowed.
    most_positions: usize,
    vcf: Vcf,
    /// Whether to stop, asked at every new position.
    stop: &'a mut dyn FnMut(u64) -> bool,
    stopped: bool,
}

impl<'a> Vct<'a> {
    /// A search for the side to move. `stop` hears the nodes spent so far.
    pub(crate) fn new(
        field: &Field,
        memory_bytes: usize,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> Self {
        Self {
            attacker: field.side_to_move(),
            nodes: HashMap::new(),
            most_positions: memory_bytes / POSITION_BYTES,
            vcf: Vcf::new(),
            stop,
            stopped: false,
        }
    }

    /// Positions searched, those of the search by fours included.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.len() as u64 + self.vcf.nodes()
    }

    /// A win of the side to move, if there is one that is found in time.
    ///
    /// Contract: nobody has five.
    pub(crate) fn search(&mut self, field: &mut Field) -> Option<Proof> {
        loop {
            self.prove(field, NEVER, NEVER);
            let root = self.nodes.get(&field.key())?;
            if root.proof != 0 {
                return None;
            }
            match self.write_attack(field) {
                Ok(proof) => return Some(proof),
                Err(Stop::Spent) => return None,
                Err(Stop::Again) => {}
            }
        }
    }

    /// Counts proof numbers below this position until one passes its bound.
    fn prove(&mut self, field: &mut Field, most_proof: u32, most_disproof: u32) {
        let key = field.key();
        if !self.nodes.contains_key(&key) {
            let node = self.expand(field);
            self.nodes.insert(key, node);
        }
        let attacks = field.side_to_move() == self.attacker;
        let moves = self.nodes[&key].moves.clone();
        loop {
            let (numbers, best) = self.numbers(field, key, &moves, attacks);
            let node = self.nodes.get_mut(&key).expect("it was inserted");
            (node.proof, node.disproof) = numbers;
            let (proof, disproof) = numbers;
            if proof >= most_proof || disproof >= most_disproof || self.stopped {
                return;
            }
            let Some(best) = best else { return };
            let (child_proof, child_disproof) = if attacks {
                let next = best.second.saturating_add(1);
                (most_proof.min(next), most_disproof - disproof + best.other)
            } else {
                let next = best.second.saturating_add(1);
                (most_proof - proof + best.other, most_disproof.min(next))
            };
            field.play(best.spot);
            self.prove(field, child_proof, child_disproof);
            field.undo();
        }
    }

    /// The numbers of a position from those of its children, and the child to go to.
    fn numbers(
        &self,
        field: &Field,
        key: u64,
        moves: &[Spot],
        attacks: bool,
    ) -> ((u32, u32), Option<Best>) {
        let node = &self.nodes[&key];
        if moves.is_empty() {
            return ((node.proof, node.disproof), None);
        }
        // For the attacker the least proof and all disproofs; for the defender the reverse.
        let (mut least, mut second, mut sum) = (NEVER, NEVER, 0_u32);
        let mut best: Option<Best> = None;
        for &spot in moves {
            let child = self.nodes.get(&field.key_after(spot));
            let (proof, disproof) = child.map_or_else(
                || self.first_numbers(field, spot, attacks),
                |child| (child.proof, child.disproof),
            );
            let (small, large) = if attacks {
                (proof, disproof)
            } else {
                (disproof, proof)
            };
            sum = sum.saturating_add(large).min(NEVER);
            if small < least || best.is_none() {
                second = least;
                least = small;
                best = Some(Best {
                    spot,
                    second: 0,
                    other: large,
                });
            } else {
                second = second.min(small);
            }
        }
        let best = best.map(|best| Best { second, ..best });
        let numbers = if attacks { (least, sum) } else { (sum, least) };
        let decided = numbers.0 == 0 || numbers.1 == 0;
        (numbers, best.filter(|_| !decided))
    }

    /// What a move counts before it was looked at: threes leave more replies than fours.
    fn first_numbers(&self, field: &Field, spot: Spot, attacks: bool) -> (u32, u32) {
        if attacks && field.class(self.attacker, spot) < Class::Four {
            (3, 1)
        } else {
            (1, 1)
        }
    }

    /// A position seen for the first time.
    fn expand(&mut self, field: &mut Field) -> Node {
        let spent = self.nodes();
        if self.nodes.len() >= self.most_positions || (self.stop)(spent) {
            self.stopped = true;
        }
        if self.stopped {
            return open(Box::new([]));
        }
        if field.side_to_move() == self.attacker {
            self.expand_attack(field)
        } else {
            self.expand_defence(field)
        }
    }

    fn expand_attack(&mut self, field: &mut Field) -> Node {
        let (own, other) = (self.attacker, !self.attacker);
        if field.count(own, Class::Five) == 0 && field.count(other, Class::Five) > 0 {
            return from_moves(answers_to_four(field, other).iter().collect());
        }
        if self.vcf.search(field, VCF_NODES).is_some() {
            return PROVEN.node();
        }
        let classes = [
            Class::FourThree,
            Class::Four,
            Class::DoubleThree,
            Class::Three,
        ];
        let moves = classes.iter().flat_map(|&class| {
            let threats = field.threats(own, class);
            threats.iter().filter(|&spot| field.allows(own, spot))
        });
        from_moves(moves.collect())
    }

    fn expand_defence(&mut self, field: &mut Field) -> Node {
        let (own, other) = (self.attacker, !self.attacker);
        if field.count(other, Class::Five) > 0 {
            return DISPROVEN.node();
        }
        if field.count(own, Class::Five) > 0 {
            let answers: Vec<Spot> = answers_to_four(field, own).iter().collect();
            return if answers.is_empty() {
                PROVEN.node()
            } else {
                open(answers.into())
            };
        }
        let Some(threat) = self.threat(field, VCF_NODES) else {
            return DISPROVEN.node();
        };
        let mut cells = Vec::new();
        threat.collect(&mut cells);
        let ground = std::sync::Arc::clone(field.ground());
        let mut zone: CellSet = cells.into_iter().map(|cell| ground.spot(cell)).collect();
        for class in [Class::OpenFour, Class::FourThree, Class::Four] {
            zone = zone.or(field.threats(other, class));
        }
        let zone = zone.and(field.empty());
        from_moves(
            zone.iter()
                .filter(|&spot| field.allows(other, spot))
                .collect(),
        )
    }

    /// The win by fours that the attacker has if the defender does nothing.
    fn threat(&mut self, field: &mut Field, nodes: u64) -> Option<Proof> {
        field.pass();
        let threat = self.vcf.search(field, nodes);
        field.pass();
        threat
    }

    /// Ends the writing of a proof when there is no time left for it.
    fn go_on(&mut self) -> Result<(), Stop> {
        let spent = self.nodes();
        if self.stopped || (self.stop)(spent) {
            self.stopped = true;
            return Err(Stop::Spent);
        }
        Ok(())
    }

    /// The proof of an attacker's position whose number is 0.
    fn write_attack(&mut self, field: &mut Field) -> Result<Proof, Stop> {
        self.go_on()?;
        let key = field.key();
        let Some(node) = self.nodes.get(&key) else {
            return Err(Stop::Spent);
        };
        if node.moves.is_empty() {
            return self.vcf.search(field, VCF_NODES_FINAL).ok_or(Stop::Spent);
        }
        let moves = node.moves.clone();
        let won = moves.iter().copied().find(|&spot| {
            let child = self.nodes.get(&field.key_after(spot));
            child.is_some_and(|child| child.proof == 0)
        });
        let Some(spot) = won else {
            return self.reopen(key);
        };
        field.play(spot);
        let rest = self.write_defence(field, spot);
        field.undo();
        if rest.is_err() {
            return self.reopen(key);
        }
        rest
    }

    /// The proof after the attacker's `spot`, whose number is 0.
    fn write_defence(&mut self, field: &mut Field, spot: Spot) -> Result<Proof, Stop> {
        let key = field.key();
        let ground = std::sync::Arc::clone(field.ground());
        let threat = if let Some(five) = field.threats(self.attacker, Class::Five).first() {
            Proof::five(ground.cell(five))
        } else {
            self.threat(field, VCF_NODES_FINAL).ok_or(Stop::Spent)?
        };
        let mut answers = Vec::new();
        for reply in self.nodes[&key].moves.clone() {
            field.play(reply);
            let proof = self.write_attack(field);
            field.undo();
            match proof {
                Ok(proof) => answers.push((ground.cell(reply), proof)),
                Err(_) => return self.reopen(key),
            }
        }
        // Every other reply: the threat still wins, or something else by fours does.
        for reply in field.empty().iter() {
            let cell = ground.cell(reply);
            if answers.iter().any(|(known, _)| *known == cell)
                || !field.allows(!self.attacker, reply)
            {
                continue;
            }
            self.go_on()?;
            field.play(reply);
            let holds = holds(field, &threat);
            let instead = if holds {
                None
            } else {
                self.vcf.search(field, VCF_NODES_FINAL)
            };
            field.undo();
            match instead {
                _ if holds => {}
                Some(proof) => answers.push((cell, proof)),
                None => {
                    let node = self.nodes.get_mut(&key).expect("it is being written");
                    let mut moves = node.moves.to_vec();
                    moves.push(reply);
                    node.moves = moves.into();
                    return self.reopen(key);
                }
            }
        }
        Ok(Proof::new(ground.cell(spot), answers, threat))
    }

    /// Takes back that a position is proven.
    fn reopen(&mut self, key: u64) -> Result<Proof, Stop> {
        if let Some(node) = self.nodes.get_mut(&key) {
            (node.proof, node.disproof) = (1, 1);
        }
        if self.stopped {
            Err(Stop::Spent)
        } else {
            Err(Stop::Again)
        }
    }
}

/// The child to go to.
struct Best {
    spot: Spot,
    /// The number of the next best child.
    second: u32,
    /// The child's number that is summed.
    other: u32,
}

/// Numbers of a position that is decided.
struct Decided(u32, u32);

const PROVEN: Decided = Decided(0, NEVER);
const DISPROVEN: Decided = Decided(NEVER, 0);

impl Decided {
    fn node(&self) -> Node {
        Node {
            proof: self.0,
            disproof: self.1,
            moves: Box::new([]),
        }
    }
}

fn open(moves: Box<[Spot]>) -> Node {
    Node {
        proof: 1,
        disproof: 1,
        moves,
    }
}

/// A position with these moves; without any the side to move has lost its case.
fn from_moves(moves: Vec<Spot>) -> Node {
    if moves.is_empty() {
        DISPROVEN.node()
    } else {
        open(moves.into())
    }
}

/// Whether a win by fours still works here, where its side moves.
pub(crate) fn holds(field: &mut Field, proof: &Proof) -> bool {
    let (own, other) = (field.side_to_move(), !field.side_to_move());
    let spot = field.ground().spot(proof.cell());
    if !field.is_empty(spot) || !field.allows(own, spot) {
        return false;
    }
    let class = field.class(own, spot);
    let Some(threat) = proof.threat() else {
        return class == Class::Five;
    };
    if class == Class::Five {
        return true;
    }
    let forced = field.count(other, Class::Five);
    if forced > 1 || forced == 1 && field.class(other, spot) != Class::Five {
        return false;
    }
    field.play(spot);
    let five = field.ground().spot(threat.cell());
    let stands = field.threats(own, Class::Five).contains(five)
        && field.count(other, Class::Five) == 0
        && answered(field, proof, own);
    field.undo();
    stands
}

/// Whether each reply that stops the five has an answer that still works.
fn answered(field: &mut Field, proof: &Proof, own: Side) -> bool {
    let ground = std::sync::Arc::clone(field.ground());
    answers_to_four(field, own).iter().all(|reply| {
        let cell = ground.cell(reply);
        let answer = proof.answers().iter().find(|(known, _)| *known == cell);
        field.play(reply);
        let works = answer.is_some_and(|(_, proof)| holds(field, proof));
        field.undo();
        works
    })
}
