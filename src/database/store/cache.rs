//! A cache of nodes with limited memory.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::node::{Pointer, TreeNode};

/// The most recently used nodes, in two generations.
#[derive(Debug)]
pub struct Cache {
    /// Maximum number of bytes of a generation.
    most: usize,
    generations: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<u64, (Pointer, Arc<TreeNode>)>,
    old: HashMap<u64, (Pointer, Arc<TreeNode>)>,
    bytes: usize,
}

impl Cache {
    /// A cache of about `bytes` bytes.
    pub fn new(bytes: usize) -> Cache {
        Cache { most: bytes / 2, generations: Mutex::default() }
    }

    /// The node at `pointer`, if it is cached.
    pub fn get(&self, pointer: Pointer) -> Option<Arc<TreeNode>> {
        let mut generations = self.generations.lock();
        if let Some((found, node)) = generations.young.get(&pointer.page) {
            return (*found == pointer).then(|| Arc::clone(node));
        }
        let (found, node) = generations.old.remove(&pointer.page)?;
        if found != pointer {
            return None;
        }
        self.insert(&mut generations, pointer, Arc::clone(&node));
        Some(node)
    }

    /// Adds a node.
    pub fn put(&self, pointer: Pointer, node: &Arc<TreeNode>) {
        self.insert(&mut self.generations.lock(), pointer, Arc::clone(node));
    }

    fn insert(&self, generations: &mut Generations, pointer: Pointer, node: Arc<TreeNode>) {
        generations.bytes += node.memory();
        if let Some((_, replaced)) = generations.young.insert(pointer.page, (pointer, node)) {
            generations.bytes = generations.bytes.saturating_sub(replaced.memory());
        }
        if generations.bytes > self.most {
            generations.old = std::mem::take(&mut generations.young);
            generations.bytes = 0;
        }
    }
}
