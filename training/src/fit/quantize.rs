//! Converts parameters in floating point to the engine's integer weights.

use kakugo::board::{ByColor, Color};
use kakugo::eval::{
    CODE_SLOTS, CodeWeights, FACTOR_BITS, FEATURE_ONE, FEATURES, FIRST_BITS, KINDS, Layer, Layers,
    NEURON_ONE, Network, POLICY_ONE, RAY_ONE, REGION_CLIPS, REGION_NUMBERS, REGION_VIEW, RegionRow,
    RegionSums, Row, SCORE_BITS, SECOND_BITS, THREAT_SETS, VECTOR_ONE,
};

use super::parameters::{self, Parameters, RAY_SCALE, Tables};

/// Units of the search's values and of its move scores; a network has the nearest units that the engine can represent.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// Points per unit of log odds.
    pub points_per_unit: f32,
    /// Points per unit of the policy's logits.
    pub score_points: f32,
}

/// Largest weight of the first layer and of the skip connection: with larger ones, sums over a full board of
/// 22x22 would overflow.
pub const MOST_FIRST: f32 = 0.98;

/// Points per unit of the policy's logits for a score factor of 1.
const POINTS_PER_FACTOR: f32 = FEATURE_ONE as f32 * VECTOR_ONE / (1 << FACTOR_BITS) as f32;

/// Converts the parameters to the engine's weights.
pub fn quantize(parameters: &Parameters, units: Units) -> Network {
    // The engine has whole points and a whole score factor. All other weights are scaled by these.
    let score_factor = (units.score_points / POINTS_PER_FACTOR).round();
    let units = Units {
        points_per_unit: units.points_per_unit.round(),
        score_points: score_factor * POINTS_PER_FACTOR,
    };
    let own = |color: Color| color as usize % parameters.tables.len();
    let codes = ByColor(Color::ALL.map(|color| codes(&parameters.tables[own(color)], units, color)));
    let stones = ByColor(
        Color::ALL
            .map(|color| RegionRow(parameters.tables[own(color)].stone.map(feature_weight)).seen_by(color)),
    );
    let mut region_bias = [RegionSums::ZERO; REGION_CLIPS];
    for (clip, sums) in region_bias.iter_mut().enumerate() {
        for color in Color::ALL {
            let biases = parameters.tables[own(color)].region_bias[clip];
            sums.0[color as usize * REGION_VIEW..][..REGION_VIEW]
                .copy_from_slice(&biases.map(|bias| small(bias * FEATURE_ONE as f32)));
        }
    }
    let layers = ByColor(Color::ALL.map(|color| {
        let kinds = &parameters.layers[own(color) * KINDS..][..KINDS];
        let kinds: Vec<Layers> = kinds.iter().map(|kind| layers(kind, units.points_per_unit)).collect();
        kinds.try_into().expect("there are KINDS layers")
    }));
    Network {
        codes,
        stones,
        region_bias,
        layers,
        points_per_unit: units.points_per_unit as i32,
        score_factor: score_factor as i32,
    }
}

/// The weights of a colour's codes.
fn codes(tables: &Tables, units: Units, color: Color) -> Box<[CodeWeights; CODE_SLOTS]> {
    let one_score = units.score_points * (1 << SCORE_BITS) as f32;
    let one_ray = units.score_points * RAY_ONE * RAY_SCALE;
    let mut codes = CodeWeights::table();
    for ((code, row), scores) in codes.iter_mut().zip(&tables.rows).zip(&tables.scores) {
        let (features, rest) = row.split_first_chunk::<FEATURES>().expect("they begin a row");
        let (regions, rays) = rest.split_first_chunk::<REGION_NUMBERS>().expect("they follow the features");
        let own = CodeWeights {
            features: Row(features.map(feature_weight)),
            regions: RegionRow(regions.map(feature_weight)),
            scores: scores.map(|score| small(score * one_score)),
            rays: [rays[0], rays[1]].map(|number| small(number * one_ray)),
        };
        *code = own.seen_by(color);
    }
    codes
}

fn layers(layers: &parameters::Layers, points_per_unit: f32) -> Layers {
    let neuron_one = NEURON_ONE as f32;
    let first_one = (1 << FIRST_BITS) as f32;
    let second_one = (1 << SECOND_BITS) as f32;
    let policy_one = POLICY_ONE as f32;
    let first =
        Layer::new(layers.first_bias.map(|bias| whole(bias * neuron_one * first_one)), |neuron, input| {
            small(layers.first[neuron][input] * first_one)
        });
    let second =
        Layer::new(layers.second_bias.map(|bias| whole(bias * neuron_one * second_one)), |neuron, input| {
            small(layers.second[neuron][input] * second_one)
        });
    let policy =
        Layer::new(layers.policy_bias.map(|bias| whole(bias * neuron_one * policy_one)), |feature, input| {
            small(layers.policy[feature][input] * policy_one)
        });
    let mut threat_points = Box::new([[0; THREAT_SETS]; THREAT_SETS]);
    for (worth, log_odds) in threat_points.as_flattened_mut().iter_mut().zip(&layers.situations) {
        *worth = small(log_odds * points_per_unit);
    }
    Layers {
        first,
        second,
        output: layers.output.map(|weight| small(weight * first_one)),
        skip: layers.skip.map(|weight| small(weight * first_one)),
        output_bias: whole(layers.output_bias[0] * neuron_one * first_one),
        threat_points,
        policy,
        draw: layers.draw.map(|weight| small(weight * first_one)),
        draw_bias: whole(layers.draw_bias[0] * neuron_one * first_one),
    }
}

/// Converts a feature weight to the engine's units.
pub fn feature_weight(weight: f32) -> i8 {
    (weight.clamp(-1.0, 1.0) * FEATURE_ONE as f32).round() as i8
}

fn small(number: f32) -> i16 {
    number.round() as i16
}

fn whole(number: f32) -> i32 {
    number.round() as i32
}
