//! The network while it is learnt: floating point, one side's view, and Adam.
//!
//! Both sides' units share their weights: the position is seen twice, with its
//! colours as they are and exchanged. A row's weights are the sum of its own and of
//! its groups'; the groups are merged into the rows when the net is written.
//! Rows are sparse and few, so gradients are exact sums over a batch and the
//! whole fits into a core's cache; a general framework would spend its time
//! on what is zero.

use crate::dataset::{Dataset, Sample};
use crate::inputs::{Fitted, Inputs, Start};
use stoneline_rules::Chance;

/// Numbers that are learnt, in one list.
///
/// `UNITS` for each row, then each group, then the bias; then for each head
/// own, other, and one lead.
pub(crate) struct Model<const UNITS: usize> {
    numbers: Vec<f32>,
    rows: usize,
    groups: usize,
    heads: usize,
    swapped: Vec<u16>,
    groups_of: Vec<Vec<usize>>,
    adam: Adam,
}

/// The numbers as a position uses them, groups merged, and sums of the same shape.
pub(crate) struct Sheet<const UNITS: usize> {
    rows: Vec<[f32; UNITS]>,
    bias: [f32; UNITS],
    own: Vec<[f32; UNITS]>,
    other: Vec<[f32; UNITS]>,
    lead: Vec<f32>,
    /// The loss, weighted, and the weights; sums only.
    loss: f64,
    weight: f64,
}

impl<const UNITS: usize> Sheet<UNITS> {
    fn zero(rows: usize, heads: usize) -> Self {
        Self {
            rows: vec![[0.0; UNITS]; rows],
            bias: [0.0; UNITS],
            own: vec![[0.0; UNITS]; heads],
            other: vec![[0.0; UNITS]; heads],
            lead: vec![0.0; heads],
            loss: 0.0,
            weight: 0.0,
        }
    }

    /// Adds all of `other`.
    fn add(&mut self, other: &Self) {
        let lists = [
            (&mut self.rows, &other.rows),
            (&mut self.own, &other.own),
            (&mut self.other, &other.other),
        ];
        for (into, from) in lists {
            for (into, from) in into.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
                *into += from;
            }
        }
        for (into, from) in self.bias.iter_mut().zip(&other.bias) {
            *into += from;
        }
        for (into, from) in self.lead.iter_mut().zip(&other.lead) {
            *into += from;
        }
        self.loss += other.loss;
        self.weight += other.weight;
    }

    /// The loss of a sample; its gradient is added to `into`.
    fn learn(
        &self,
        rows: &[u16],
        swapped: &[u16],
        sample: &Sample,
        into: Option<&mut Self>,
    ) -> f64 {
        let mut own = self.bias;
        let mut other = self.bias;
        let (seen_by_own, seen_by_other) = views(sample, rows, swapped);
        for (own_row, other_row) in seen_by_own.zip(seen_by_other) {
            for unit in 0..UNITS {
                own[unit] += self.rows[own_row][unit];
                other[unit] += self.rows[other_row][unit];
            }
        }
        let head = usize::from(sample.head);
        let mut logit = self.lead[head];
        for unit in 0..UNITS {
            logit += self.own[head][unit] * own[unit].clamp(0.0, 1.0);
            logit -= self.other[head][unit] * other[unit].clamp(0.0, 1.0);
        }
        let rate = 1.0 / (1.0 + (-logit).exp());
        let target = sample.target;
        // Of the cross entropy only what can be learnt: 0 where rate and target agree.
        let part = |target: f32, rate: f32| match target {
            0.0 => 0.0,
            _ => f64::from(target) * (f64::from(target) / f64::from(rate).max(1e-9)).ln(),
        };
        let loss = part(target, rate) + part(1.0 - target, 1.0 - rate);
        let Some(into) = into else {
            return loss;
        };
        let slope = (rate - target) * sample.weight;
        into.loss += loss * f64::from(sample.weight);
        into.weight += f64::from(sample.weight);
        into.lead[head] += slope;
        let mut own_slope = [0.0; UNITS];
        let mut other_slope = [0.0; UNITS];
        let is_inside = |unit: f32| f32::from(unit > 0.0 && unit < 1.0);
        for unit in 0..UNITS {
            into.own[head][unit] += slope * own[unit].clamp(0.0, 1.0);
            into.other[head][unit] -= slope * other[unit].clamp(0.0, 1.0);
            own_slope[unit] = slope * self.own[head][unit] * is_inside(own[unit]);
            other_slope[unit] = -slope * self.other[head][unit] * is_inside(other[unit]);
            into.bias[unit] += own_slope[unit] + other_slope[unit];
        }
        let (seen_by_own, seen_by_other) = views(sample, rows, swapped);
        for (own_row, other_row) in seen_by_own.zip(seen_by_other) {
            for (row, slopes) in [(own_row, &own_slope), (other_row, &other_slope)] {
                for (sum, slope) in into.rows[row].iter_mut().zip(slopes) {
                    *sum += slope;
                }
            }
        }
        loss
    }
}

/// The rows of a sample as the side to move sees them, and as its opponent does.
fn views<'a>(
    sample: &Sample,
    rows: &'a [u16],
    swapped: &'a [u16],
) -> (
    impl Iterator<Item = usize> + 'a,
    impl Iterator<Item = usize> + 'a,
) {
    let second = sample.second_moves;
    let see = move |is_exchanged: bool| {
        rows.iter().map(move |&row| match is_exchanged {
            true => usize::from(swapped[usize::from(row)]),
            false => usize::from(row),
        })
    };
    (see(second), see(!second))
}

impl<const UNITS: usize> Model<UNITS> {
    /// A model that knows nothing, its units set apart by `seed`.
    pub(crate) fn new(inputs: &dyn Inputs, seed: u64) -> Self {
        let (rows, groups, heads) = (inputs.rows(), inputs.groups(), inputs.heads());
        let length = (rows + groups + 1 + 2 * heads) * UNITS + heads;
        let mut chance = Chance::new(seed);
        let mut spread = |reach: f32| (chance.draw() as u32 as f32 / 2_f32.powi(31) - 1.0) * reach;
        let mut numbers = vec![0.0; length];
        for number in &mut numbers[rows * UNITS..][..groups * UNITS] {
            *number = spread(0.03);
        }
        for number in &mut numbers[(rows + groups) * UNITS..][..UNITS] {
            *number = 0.4 + spread(0.3);
        }
        // Both views begin as opposites.
        let first_head = (rows + groups + 1) * UNITS;
        for at in 0..heads * UNITS {
            let weight = if at < UNITS {
                spread(0.5)
            } else {
                numbers[first_head + at % UNITS]
            };
            numbers[first_head + at] = weight;
            numbers[first_head + heads * UNITS + at] = weight;
        }
        Self {
            adam: Adam::new(length),
            numbers,
            rows,
            groups,
            heads,
            swapped: (0..rows as u16).map(|row| inputs.swapped(row)).collect(),
            groups_of: (0..rows as u16).map(|row| inputs.groups_of(row)).collect(),
        }
    }

    /// The model goes on from `start`; groups begin at nothing, since they are merged there.
    pub(crate) fn begin_with(&mut self, start: &Start) {
        let groups = vec![0.0; self.groups * UNITS];
        self.numbers = [
            &*start.rows,
            &groups,
            &start.bias,
            &start.own,
            &start.other,
            &start.lead,
        ]
        .concat();
        debug_assert_eq!(self.numbers.len(), self.adam.means.len());
    }

    /// The numbers as positions use them.
    pub(crate) fn sheet(&self) -> Sheet<UNITS> {
        let mut sheet = Sheet::zero(self.rows, self.heads);
        let (units, lead) = self
            .numbers
            .split_at((self.rows + self.groups + 1 + 2 * self.heads) * UNITS);
        let (units, _) = units.as_chunks::<UNITS>();
        let (rows, rest) = units.split_at(self.rows);
        let (groups, rest) = rest.split_at(self.groups);
        sheet.rows.copy_from_slice(rows);
        for (row, members) in sheet.rows.iter_mut().zip(&self.groups_of) {
            for &group in members {
                for (number, shared) in row.iter_mut().zip(&groups[group]) {
                    *number += shared;
                }
            }
        }
        sheet.bias = rest[0];
        sheet.own.copy_from_slice(&rest[1..=self.heads]);
        sheet.other.copy_from_slice(&rest[1 + self.heads..]);
        sheet.lead.copy_from_slice(lead);
        sheet
    }

    /// The gradient of the numbers, from that of the sheet.
    fn gradient(&self, sums: &Sheet<UNITS>) -> Vec<f32> {
        let mut groups = vec![[0.0; UNITS]; self.groups];
        for (row, members) in sums.rows.iter().zip(&self.groups_of) {
            for &group in members {
                for (shared, number) in groups[group].iter_mut().zip(row) {
                    *shared += number;
                }
            }
        }
        let mut gradient = Vec::with_capacity(self.numbers.len());
        gradient.extend(sums.rows.as_flattened());
        gradient.extend(groups.as_flattened());
        gradient.extend(sums.bias);
        gradient.extend(sums.own.as_flattened());
        gradient.extend(sums.other.as_flattened());
        gradient.extend(&sums.lead);
        let scale = (1.0 / sums.weight.max(1.0)) as f32;
        for number in &mut gradient {
            *number *= scale;
        }
        gradient
    }

    /// Learns a batch on several threads; the weighted mean of its loss before.
    pub(crate) fn learn(
        &mut self,
        data: &Dataset,
        batch: &[Sample],
        rate: f32,
        threads: usize,
    ) -> f64 {
        let sheet = self.sheet();
        let share = batch.len().div_ceil(threads.max(1)).max(1);
        let sums: Vec<Sheet<UNITS>> = std::thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(share)
                .map(|samples| {
                    let (sheet, swapped) = (&sheet, &self.swapped);
                    let (rows, heads) = (self.rows, self.heads);
                    scope.spawn(move || {
                        let mut sums = Sheet::zero(rows, heads);
                        for sample in samples {
                            sheet.learn(data.rows(sample), swapped, sample, Some(&mut sums));
                        }
                        sums
                    })
                })
                .collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, _>| worker.join();
            workers
                .into_iter()
                .map(|worker| join(worker).expect("summing never panics"))
                .collect()
        });
        let mut sums = sums.into_iter();
        let mut all = sums.next().expect("a batch has samples");
        for more in sums {
            all.add(&more);
        }
        let gradient = self.gradient(&all);
        self.adam.step(&mut self.numbers, &gradient, rate);
        all.loss / all.weight
    }

    /// The mean loss on `samples`, by head and over all.
    pub(crate) fn loss(&self, data: &Dataset, samples: &[Sample]) -> (Vec<f64>, f64) {
        let sheet = self.sheet();
        let mut by_head = vec![(0.0, 0.0); self.heads];
        for sample in samples {
            let loss = sheet.learn(data.rows(sample), &self.swapped, sample, None);
            let (sum, weight) = &mut by_head[usize::from(sample.head)];
            *sum += loss * f64::from(sample.weight);
            *weight += f64::from(sample.weight);
        }
        let all = by_head
            .iter()
            .fold((0.0, 0.0), |all, head| (all.0 + head.0, all.1 + head.1));
        let mean = |(sum, weight): &(f64, f64)| sum / weight.max(1e-9);
        (by_head.iter().map(mean).collect(), mean(&all))
    }
}

impl<const UNITS: usize> Sheet<UNITS> {
    /// What was learnt, to be written to a file.
    pub(crate) fn fitted(&self) -> Fitted<'_> {
        Fitted {
            units: UNITS,
            rows: self.rows.as_flattened(),
            bias: &self.bias,
            own: self.own.as_flattened(),
            other: self.other.as_flattened(),
            lead: &self.lead,
        }
    }
}

/// Adam (Kingma and Ba 2015): steps by the mean of gradients over their spread.
struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    fn new(length: usize) -> Self {
        Self {
            means: vec![0.0; length],
            squares: vec![0.0; length],
            steps: 0,
        }
    }

    fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32) {
        const KEEP_MEAN: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.999;
        self.steps += 1;
        let mean_scale = 1.0 / (1.0 - KEEP_MEAN.powi(self.steps));
        let square_scale = 1.0 / (1.0 - KEEP_SQUARE.powi(self.steps));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for ((number, slope), (mean, square)) in numbers.iter_mut().zip(gradient).zip(moments) {
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            *number -= rate * *mean * mean_scale / ((*square * square_scale).sqrt() + 1e-8);
        }
    }
}
