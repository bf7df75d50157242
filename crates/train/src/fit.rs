//! Fitting: games in, a net out, with the loss on games that were held out.

use crate::dataset::Dataset;
use crate::inputs::{GRAVITY_UNITS, Gravity, Inputs};
use crate::model::Model;
use crate::settings::Fit;
use crate::store::StoreError;
use std::ops::ControlFlow;
use stoneline_rules::Chance;
use stoneline_search::neural::{NetError, Provenance};
use thiserror::Error;

/// Why a net can't be fitted.
#[derive(Debug, Error)]
pub enum FitError {
    /// The games can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The net to begin with can't be read.
    #[error(transparent)]
    Start(#[from] NetError),
}

/// How far a fit is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitting {
    /// Batches learnt, of all.
    pub batches: u64,
    /// Batches in all.
    pub all_batches: u64,
    /// The mean loss of the last batches.
    pub loss: f64,
}

/// A fitted net.
#[derive(Clone, Debug)]
pub struct FittedNet {
    /// The bytes of its file.
    pub file: Vec<u8>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The loss on games that were held out, before the first batch and after the last.
    pub held_out_loss: [f64; 2],
    /// The loss after the last batch, for each output.
    pub loss_by_head: Vec<f64>,
    /// Positions learnt from.
    pub positions: usize,
}

/// The batches over which a reported loss is smoothed.
const SMOOTH: f64 = 50.0;

/// Fits a net for boards with falling stones; `None` if `watch` breaks.
///
/// # Errors
/// If a file of games, or the net to begin with, can't be read.
pub fn fit(
    settings: &Fit,
    threads: usize,
    watch: impl FnMut(Fitting) -> ControlFlow<()>,
) -> Result<Option<FittedNet>, FitError> {
    fit_with::<GRAVITY_UNITS>(&mut Gravity::default(), settings, threads, watch)
}

fn fit_with<const UNITS: usize>(
    inputs: &mut dyn Inputs,
    settings: &Fit,
    threads: usize,
    mut watch: impl FnMut(Fitting) -> ControlFlow<()>,
) -> Result<Option<FittedNet>, FitError> {
    let start = settings.start.as_deref().map(|path| inputs.read(path));
    let start = start.transpose()?;
    let mut data = Dataset::read(settings, inputs, |_| ())?;
    let mut order = std::mem::take(&mut data.training);
    if order.is_empty() {
        let path = settings.data.first().cloned().unwrap_or_default();
        return Err(StoreError::Empty { path }.into());
    }
    let mut model = Model::<UNITS>::new(inputs, settings.seed);
    if let Some(start) = start {
        model.begin_with(&start);
    }
    let (_, before) = model.loss(&data, &data.held_out);
    let batches_each = (order.len() / settings.batch).max(1) as u64;
    let all_batches = batches_each * u64::from(settings.epochs);
    let mut chance = Chance::new(settings.seed);
    let (mut batches, mut loss) = (0, f64::NAN);
    for _ in 0..settings.epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, chance.below(at as u32 + 1) as usize);
        }
        for batch in order.chunks(settings.batch).take(batches_each as usize) {
            // Half a cosine from the full rate to a hundredth of it.
            let done = batches as f32 / all_batches as f32;
            let share = 0.505 + 0.495 * (std::f32::consts::PI * done).cos();
            let now = model.learn(&data, batch, settings.rate * share, threads);
            batches += 1;
            let smooth = SMOOTH.min(batches as f64);
            loss = if batches == 1 {
                now
            } else {
                loss + (now - loss) / smooth
            };
            let state = Fitting {
                batches,
                all_batches,
                loss,
            };
            if watch(state).is_break() {
                return Ok(None);
            }
        }
    }
    let (loss_by_head, after) = model.loss(&data, &data.held_out);
    let mut provenance = Provenance::default();
    provenance.tell("program", concat!("stoneline ", env!("CARGO_PKG_VERSION")));
    provenance.tell("games", data.games);
    provenance.tell("positions", order.len());
    provenance.tell("held_out_positions", data.held_out.len());
    for file in &settings.data {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let line = crate::store::settings_line(file)?;
        provenance.tell("data", format!("{name} {line}"));
    }
    provenance.tell("fit", settings.line());
    provenance.tell("held_out_loss", format!("{after:.5}"));
    let fitted = model.sheet();
    Ok(Some(FittedNet {
        file: inputs.file(&fitted.fitted(), &provenance),
        provenance,
        held_out_loss: [before, after],
        loss_by_head,
        positions: order.len(),
    }))
}
