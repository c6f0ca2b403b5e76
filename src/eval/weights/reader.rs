//! Reads the parts of a weights file.

use super::super::layer::Layer;
use super::super::layer_key::KINDS;
use super::super::network::{HIDDEN, Layers, POLICY_INPUTS};
use super::super::threats::THREAT_SETS;
use super::{INPUTS_WITHOUT_RAYS, WITHOUT_RAYS, WeightsError};

/// Reads bytes from the front of a slice.
pub struct WeightsReader<'a> {
    /// The bytes not yet read.
    pub rest: &'a [u8],
    /// The format version of the file.
    pub version: u8,
}

impl<'a> WeightsReader<'a> {
    /// Whether the network knows the rays.
    pub fn has_rays(&self) -> bool {
        self.version > WITHOUT_RAYS
    }

    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], WeightsError> {
        let (first, rest) = self.rest.split_at_checked(length).ok_or(WeightsError("truncated weights"))?;
        self.rest = rest;
        Ok(first)
    }

    /// The next bytes, as an array.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        Ok(self.take(N)?.try_into().expect("take returns N bytes"))
    }

    /// The next weights of one byte.
    pub fn bytes<const N: usize>(&mut self) -> Result<[i8; N], WeightsError> {
        self.array::<N>().map(|bytes| bytes.map(|byte| byte as i8))
    }

    /// The next two bytes, as a number.
    pub fn short(&mut self) -> Result<u16, WeightsError> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next four bytes, as a number.
    pub fn whole(&mut self) -> Result<i32, WeightsError> {
        self.array().map(i32::from_le_bytes)
    }

    /// The next numbers: an array of the file.
    pub fn small_numbers(&mut self, count: usize) -> Result<Vec<i16>, WeightsError> {
        let bytes = self.take(2 * count)?;
        Ok(if self.version == WITHOUT_RAYS {
            bytes.as_chunks().0.iter().map(|&pair| i16::from_le_bytes(pair)).collect()
        } else {
            let (low, high) = bytes.split_at(count);
            low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect()
        })
    }

    /// The next numbers, as an array.
    pub fn smalls<const N: usize>(&mut self) -> Result<[i16; N], WeightsError> {
        Ok(self.small_numbers(N)?.try_into().expect("there are N numbers"))
    }

    fn layer<const PAIRS: usize, const OUT: usize>(&mut self) -> Result<Layer<PAIRS, OUT>, WeightsError> {
        let weights = self.small_numbers(2 * PAIRS * OUT)?;
        let mut bias = [0; OUT];
        bias.iter_mut().try_for_each(|number| self.whole().map(|read| *number = read))?;
        Ok(Layer::new(bias, |neuron, input| weights[neuron * 2 * PAIRS + input]))
    }

    /// The layers of all kinds of positions.
    pub fn kinds(&mut self) -> Result<Box<[Layers; KINDS]>, WeightsError> {
        let layers = (0..KINDS).map(|_| self.layers()).collect::<Result<Vec<Layers>, _>>()?;
        Ok(layers.try_into().expect("there are KINDS layers"))
    }

    fn layers(&mut self) -> Result<Layers, WeightsError> {
        let (first, second, output) = (self.layer()?, self.layer()?, self.smalls()?);
        let (skip, output_bias) = (self.smalls()?, self.whole()?);
        let mut threat_points = Box::new([[0; THREAT_SETS]; THREAT_SETS]);
        threat_points.as_flattened_mut().copy_from_slice(&self.small_numbers(THREAT_SETS * THREAT_SETS)?);
        let policy = if self.has_rays() { self.layer()? } else { widened(&self.layer()?) };
        let (draw, draw_bias) = (self.smalls()?, self.whole()?);
        Ok(Layers { first, second, output, skip, output_bias, threat_points, policy, draw, draw_bias })
    }
}

/// The policy layer of a network whose policy does not know the rays, extended by zero weights for them.
fn widened(layer: &Layer<{ HIDDEN / 2 }, INPUTS_WITHOUT_RAYS>) -> Layer<{ HIDDEN / 2 }, POLICY_INPUTS> {
    let (weights, bias) = (layer.weights(), layer.bias());
    let bias = std::array::from_fn(|neuron| bias.get(neuron).copied().unwrap_or(0));
    Layer::new(bias, |neuron, input| weights.get(neuron * HIDDEN + input).copied().unwrap_or(0))
}
