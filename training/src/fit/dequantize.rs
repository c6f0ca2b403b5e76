//! Converts the engine's weights back to parameters, for a training that continues from a network.

use kakugo::board::Color;
use kakugo::eval::{
    FEATURE_ONE, FEATURES, FIRST_BITS, Layer, Layers, NEURON_ONE, Network, POLICY_ONE, RAY_ONE, REGION_VIEW,
    RegionSums, SCORE_BITS, SECOND_BITS,
};
use kakugo::rules::POINT_CODES;

use super::parameters::{self, Parameters, RAY_SCALE, RAYS, ROW, Tables};

/// The parameters of a network in which `colors` colours have their own weights.
pub fn dequantize(network: &Network, colors: usize) -> Parameters {
    let colors = &Color::ALL[..colors];
    Parameters {
        tables: colors.iter().map(|&color| tables(network, color)).collect(),
        layers: colors
            .iter()
            .flat_map(|&color| network.layers[color].iter())
            .map(|kind| layers(kind, network.points_per_unit as f32))
            .collect(),
    }
}

fn tables(network: &Network, color: Color) -> Tables {
    let one_feature = FEATURE_ONE as f32;
    let weights = |code: usize| network.codes[color][code].seen_by(color);
    let row = |code: usize| {
        let mut row = [0.0; ROW];
        let of_points = weights(code).features.0;
        let of_regions = weights(code).regions.0;
        row[..FEATURES].copy_from_slice(&of_points.map(|weight| ratio(weight, one_feature)));
        row[FEATURES..RAYS].copy_from_slice(&of_regions.map(|weight| ratio(weight, one_feature)));
        let one_ray = network.score_points() * RAY_ONE * RAY_SCALE;
        row[RAYS..].copy_from_slice(&weights(code).rays.map(|number| ratio(number, one_ray)));
        row
    };
    let bias = |bias: &RegionSums| {
        std::array::from_fn(|i| ratio(bias.0[color as usize * REGION_VIEW + i], one_feature))
    };
    let one = network.score_points() * (1 << SCORE_BITS) as f32;
    let scores = |code: usize| weights(code).scores.map(|score| ratio(score, one));
    Tables {
        rows: (0..POINT_CODES).map(row).collect(),
        scores: (0..POINT_CODES).map(scores).collect(),
        stone: network.stones[color].seen_by(color).0.map(|weight| ratio(weight, one_feature)),
        region_bias: network.region_bias.each_ref().map(bias),
    }
}

fn layers(layers: &Layers, points_per_unit: f32) -> parameters::Layers {
    let first_one = (1 << FIRST_BITS) as f32;
    let second_one = (1 << SECOND_BITS) as f32;
    let odds_one = NEURON_ONE as f32 * first_one;
    let mut found = parameters::Layers::zeros();
    found.first_bias = weights_of(&layers.first, first_one, found.first.as_flattened_mut());
    found.second_bias = weights_of(&layers.second, second_one, found.second.as_flattened_mut());
    found.policy_bias = weights_of(&layers.policy, POLICY_ONE as f32, found.policy.as_flattened_mut());
    found.output = layers.output.map(|weight| ratio(weight, first_one));
    found.skip = layers.skip.map(|weight| ratio(weight, first_one));
    found.output_bias = [layers.output_bias as f32 / odds_one];
    found.situations =
        layers.threat_points.as_flattened().iter().map(|&worth| ratio(worth, points_per_unit)).collect();
    found.draw = layers.draw.map(|weight| ratio(weight, first_one));
    found.draw_bias = [layers.draw_bias as f32 / odds_one];
    found
}

/// Fills in the weights of a layer, and returns its biases.
fn weights_of<const PAIRS: usize, const OUT: usize>(
    layer: &Layer<PAIRS, OUT>,
    one: f32,
    weights: &mut [f32],
) -> [f32; OUT] {
    weights.iter_mut().zip(layer.weights()).for_each(|(weight, whole)| *weight = ratio(whole, one));
    layer.bias().map(|bias| bias as f32 / (NEURON_ONE as f32 * one))
}

fn ratio(whole: impl Into<f32>, one: f32) -> f32 {
    whole.into() / one
}

#[cfg(test)]
mod tests {
    use kakugo::eval::Networks;
    use kakugo::rules::RuleKind;

    use super::super::quantize::{Units, quantize};
    use super::*;

    #[test]
    fn the_embedded_networks_come_back() {
        for (rule, colors) in
            [(RuleKind::Freestyle, 1), (RuleKind::Standard, 1), (RuleKind::Renju, 2), (RuleKind::Caro, 1)]
        {
            let networks = Networks::default();
            let network = networks.of(rule);
            let units = Units {
                points_per_unit: network.points_per_unit as f32,
                score_points: network.score_points(),
            };
            let again = quantize(&dequantize(network, colors), units);
            assert_eq!(
                (network.points_per_unit, network.score_factor),
                (again.points_per_unit, again.score_factor)
            );
            assert_eq!(network.region_bias, again.region_bias);
            for color in Color::ALL {
                assert_eq!(network.codes[color], again.codes[color]);
                assert_eq!(network.stones[color], again.stones[color]);
                for (was, is) in network.layers[color].iter().zip(again.layers[color].iter()) {
                    assert_eq!(was.first.weights(), is.first.weights());
                    assert_eq!(was.first.bias(), is.first.bias());
                    assert_eq!(was.second.weights(), is.second.weights());
                    assert_eq!(was.second.bias(), is.second.bias());
                    assert_eq!((was.output, was.output_bias), (is.output, is.output_bias));
                    assert_eq!(was.skip, is.skip);
                    assert_eq!(was.threat_points, is.threat_points);
                    assert_eq!(was.policy.weights(), is.policy.weights());
                    assert_eq!(was.policy.bias(), is.policy.bias());
                    assert_eq!((was.draw, was.draw_bias), (is.draw, is.draw_bias));
                }
            }
            assert_eq!(network.fingerprint(), again.fingerprint(), "everything else");
        }
    }

    #[test]
    fn all_weights_have_units_that_the_engine_can_represent() {
        let networks = Networks::default();
        let network = networks.of(RuleKind::Freestyle);
        let parameters = dequantize(network, 1);
        let with_units =
            |points_per_unit, score_points| quantize(&parameters, Units { points_per_unit, score_points });
        // The default of 15 points per logit is no whole score factor; the network has the nearest one.
        let again = with_units(network.points_per_unit as f32, 15.0);
        assert_ne!(network.score_points(), 15.0);
        assert_eq!(network.codes[Color::Black], again.codes[Color::Black]);
        assert_eq!(network.fingerprint(), again.fingerprint());
        assert_eq!(with_units(48.5, 15.0).fingerprint(), with_units(49.0, 15.0).fingerprint());
    }
}
