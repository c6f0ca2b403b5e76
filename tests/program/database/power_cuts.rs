//! Power cuts: writes and syncs are recorded, and replayed up to any moment. Of the unsynced data the disk
//! has an arbitrary subset of the blocks, and an arbitrary length. The file must open and contain everything
//! that was committed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use kakugo::book::{Plan, build};
use kakugo::database::{
    Access, Edit, Importer, Label, Memory, MergeRule, Storage, Store, count_damaged, delete, edit, merge,
};
use kakugo::rules::Rule;
use parking_lot::Mutex;
use rand::Rng;
use rand::rngs::StdRng;

use crate::database::positions::{random_board, random_record, random_terms, rng};
use crate::database::{Content, content_of};

/// Number of bytes that a disk writes atomically.
const BLOCK: usize = 512;

#[derive(Clone, Debug)]
enum Event {
    Write(u64, Vec<u8>),
    Length(u64),
    Sync,
}

/// Bytes in memory, with a record of all writes.
#[derive(Clone, Debug, Default)]
struct Recorder {
    memory: Arc<Memory>,
    events: Arc<Mutex<Vec<Event>>>,
    /// The committed content, with the number of events at that time.
    states: Arc<Mutex<Vec<(usize, Content)>>>,
}

impl Storage for Recorder {
    fn length(&self) -> io::Result<u64> {
        self.memory.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.memory.read(offset, out)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.events.lock().push(Event::Write(offset, data.to_vec()));
        self.memory.write(offset, data)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.events.lock().push(Event::Length(length));
        self.memory.set_length(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.events.lock().push(Event::Sync);
        Ok(())
    }
}

impl Recorder {
    /// A transaction was committed.
    fn committed(&self, store: &Store) {
        let state = content_of(store);
        self.states.lock().push((self.events.lock().len(), state));
    }

    /// Reads the committed content at every sync, because a build of a book does not report its transactions.
    fn find_states(&self) {
        let mut states = self.states.lock();
        let (begin, _) = states[0];
        states.truncate(1);
        let mut bytes = Vec::new();
        for (number, event) in self.events.lock().iter().enumerate() {
            apply(&mut bytes, event, |_| true);
            if matches!(event, Event::Sync) && number >= begin {
                let store = Store::on(Box::new(Memory::new(bytes.clone())), Access::Read).unwrap();
                states.push((number + 1, content_of(&store)));
            }
        }
    }

    /// The bytes after a power cut following the given number of events.
    fn cut(&self, moment: usize, rng: &mut StdRng) -> Vec<u8> {
        let events = self.events.lock();
        let happened = &events[..moment];
        let synced = happened.iter().rposition(|event| matches!(event, Event::Sync)).map_or(0, |at| at + 1);
        let mut bytes = Vec::new();
        for event in &happened[..synced] {
            apply(&mut bytes, event, |_| true);
        }
        let safe_length = bytes.len();
        // Sometimes nearly all blocks are written, sometimes nearly none, and some cuts come after all
        // writes.
        let kept = [0.02, 0.3, 0.7, 0.98, 1.0][rng.random_range(0..5)];
        for event in &happened[synced..] {
            if matches!(event, Event::Write(..)) || rng.random_bool(kept) {
                apply(&mut bytes, event, |_| rng.random_bool(kept));
            }
        }
        // The length is written independently.
        if bytes.len() > safe_length && rng.random_bool(0.4) {
            bytes.truncate(rng.random_range(safe_length..=bytes.len()));
        }
        bytes
    }
}

/// Applies an event in the blocks that are kept.
fn apply(bytes: &mut Vec<u8>, event: &Event, mut is_kept: impl FnMut(u64) -> bool) {
    match event {
        Event::Write(offset, data) => {
            let mut at = 0;
            while at < data.len() {
                let place = *offset as usize + at;
                let length = (BLOCK - place % BLOCK).min(data.len() - at);
                if is_kept(place as u64) {
                    if bytes.len() < place + length {
                        bytes.resize(place + length, 0);
                    }
                    bytes[place..place + length].copy_from_slice(&data[at..at + length]);
                }
                at += length;
            }
        }
        Event::Length(length) => bytes.resize(*length as usize, 0),
        Event::Sync => {}
    }
}

/// A recorded store with some positions; the recording starts with them.
fn recorded(positions: usize, rng: &mut StdRng) -> (Recorder, Store) {
    let recorder = Recorder::default();
    let store = Store::on(Box::new(recorder.clone()), Access::Create).unwrap();
    import(&store, None, positions, 250, rng);
    recorder.committed(&store);
    (recorder, store)
}

fn import(store: &Store, recorder: Option<&Recorder>, positions: usize, batch: usize, rng: &mut StdRng) {
    let told = |_: &_| recorder.into_iter().for_each(|recorder| recorder.committed(store));
    let mut importer = Importer::new(store, MergeRule::default()).with_batch(batch).with_commits(told);
    for number in 0..positions {
        let (rule, size) = random_terms(rng);
        let board = random_board(rng, size, 18);
        let mut record = random_record(rng, &board);
        if number % 97 == 96 {
            record.text = "long ".repeat(2000);
        }
        importer.add(&board, rule, record).unwrap();
    }
    importer.finish().unwrap();
}

fn edits(store: &Store, recorder: &Recorder, rng: &mut StdRng) {
    let rule = Rule::default();
    for number in 0..12 {
        let board = random_board(rng, kakugo::board::Size::default(), 4);
        let text = Edit::Text(format!("edit {number}"));
        store.write(|batch| edit(batch, &board, rule, &[text, Edit::Label(Label::Win)]).map(drop)).unwrap();
        recorder.committed(store);
        let reader = store.reader().unwrap();
        let mut entries = reader.entries().unwrap().map(Result::unwrap);
        let (key, _) = entries.nth(rng.random_range(0..reader.len().unwrap() as usize)).unwrap();
        store.write(|batch| batch.remove(&key)).unwrap();
        recorder.committed(store);
        store.write(|batch| delete(batch, &board, rule)).unwrap();
        recorder.committed(store);
    }
}

/// Work on a store, with everything recorded.
fn scenario(kind: usize, rng: &mut StdRng) -> Recorder {
    let (recorder, mut store) = recorded(600, rng);
    match kind {
        0 => import(&store, Some(&recorder), 900, 100, rng),
        1 => {
            let other = Store::in_memory().unwrap();
            import(&other, None, 800, 400, rng);
            let told = |_: &_| recorder.committed(&store);
            let importer = Importer::new(&store, MergeRule::default()).with_batch(150).with_commits(told);
            merge(&other.reader().unwrap(), importer, &mut ()).unwrap();
        }
        2 => {
            let gone = store.reader().unwrap();
            let keys: Vec<_> = gone.entries().unwrap().map(|entry| entry.unwrap().0).step_by(2).collect();
            drop(gone);
            store.write(|batch| keys.iter().try_for_each(|key| batch.remove(key).map(drop))).unwrap();
            recorder.committed(&store);
            store.compact().unwrap();
            recorder.committed(&store);
            import(&store, Some(&recorder), 100, 50, rng);
            store.compact().unwrap();
            recorder.committed(&store);
        }
        3 => edits(&store, &recorder, rng),
        _ => {
            let board = random_board(rng, kakugo::board::Size::default(), 3);
            let plan = Plan {
                nodes: 60,
                moves: 2,
                positions: Some(40),
                threads: 1,
                ..Plan::new(Rule::default(), vec![board])
            };
            build(&store, &plan, &AtomicBool::new(false), &mut |_| {}).unwrap();
            recorder.committed(&store);
        }
    }
    recorder
}

/// Cuts the power in the middle of each kind of work.
fn cut_power(cuts: usize, seed: u64) {
    let mut rng = rng(seed);
    for kind in 0..5 {
        let recorder = scenario(kind, &mut rng);
        if kind == 4 {
            recorder.find_states();
        }
        let states = recorder.states.lock();
        let all = recorder.events.lock().len();
        for cut in 0..cuts / 5 {
            let moment = rng.random_range(states[0].0..=all);
            let bytes = recorder.cut(moment, &mut rng);
            let what = format!("work {kind}, cut {cut} behind event {moment} of {all}");
            let access = if cut % 2 == 0 { Access::Read } else { Access::Write };
            let opened = Store::on(Box::new(Memory::new(bytes)), access);
            let store = opened.unwrap_or_else(|error| panic!("{what}: {error}"));
            assert_eq!(count_damaged(&store.reader().unwrap(), &mut ()).unwrap(), 0, "{what}");
            let found = content_of(&store);
            let last = states.partition_point(|(events, _)| *events <= moment) - 1;
            let is_last = found == states[last].1;
            let is_next = states.get(last + 1).is_some_and(|(_, next)| found == *next);
            assert!(is_last || is_next, "{what}: {} positions", found.len());
            // Work continues from there.
            if access == Access::Write {
                import(&store, None, 20, 7, &mut rng);
                assert_eq!(count_damaged(&store.reader().unwrap(), &mut ()).unwrap(), 0, "{what}");
            }
        }
    }
}

#[test]
fn what_was_committed_survives_a_hundred_power_cuts() {
    cut_power(100, 90);
}

#[test]
#[ignore = "a minute or two"]
fn what_was_committed_survives_two_thousand_power_cuts() {
    cut_power(2000, 91);
}

/// A disk with a limited number of free bytes.
#[derive(Clone, Debug)]
struct FullDisk {
    recorder: Recorder,
    room: Arc<Mutex<usize>>,
    fails_to_sync: Arc<AtomicBool>,
}

impl Storage for FullDisk {
    fn length(&self) -> io::Result<u64> {
        self.recorder.length()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.recorder.read(offset, out)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut room = self.room.lock();
        let written = data.len().min(*room);
        *room -= written;
        self.recorder.write(offset, &data[..written])?;
        if written < data.len() { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.recorder.set_length(length)
    }

    fn sync(&self) -> io::Result<()> {
        if self.fails_to_sync.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.recorder.sync()
    }
}

impl FullDisk {
    /// Whether a copy of the head was written last: after an error the file may then have the failed commit.
    fn has_tried_a_head(&self) -> bool {
        let events = self.recorder.events.lock();
        let last = events.iter().rev().find_map(|event| match event {
            Event::Write(offset, _) => Some(*offset),
            _ => None,
        });
        last.is_some_and(|offset| offset < 3 * 4096)
    }
}

#[test]
fn after_a_full_disk_the_store_goes_on() {
    let mut rng = rng(92);
    for round in 0..30 {
        let disk = FullDisk {
            recorder: Recorder::default(),
            room: Arc::new(Mutex::new(usize::MAX)),
            fails_to_sync: Arc::default(),
        };
        let mut store = Store::on(Box::new(disk.clone()), Access::Create).unwrap();
        import(&store, None, 300, 100, &mut rng);
        let before = content_of(&store);
        for _ in 0..3 {
            *disk.room.lock() = rng.random_range(0..60_000);
            disk.fails_to_sync.store(rng.random(), std::sync::atomic::Ordering::Relaxed);
            let length = disk.length().unwrap();
            let mut importer = Importer::new(&store, MergeRule::default());
            for _ in 0..300 {
                let (rule, size) = random_terms(&mut rng);
                let board = random_board(&mut rng, size, 18);
                importer.add(&board, rule, random_record(&mut rng, &board)).unwrap();
            }
            let failed = importer.finish();
            if failed.is_err() {
                assert_eq!(
                    content_of(&store),
                    before,
                    "round {round}: nothing is lost, and nothing is half there"
                );
                let is_free = disk.has_tried_a_head() || disk.length().unwrap() <= length;
                assert!(is_free, "round {round}: the failed import takes no room");
            }
            let length = disk.length().unwrap();
            let is_compact = store.compact().is_ok();
            if failed.is_err() && !is_compact {
                assert!(disk.length().unwrap() <= length, "round {round}: nor does a failed compaction");
            }
            *disk.room.lock() = usize::MAX;
            disk.fails_to_sync.store(false, std::sync::atomic::Ordering::Relaxed);
            if failed.is_ok() {
                break;
            }
            // After a cut now the file has the previous state, or the failed commit as a whole.
            let events = disk.recorder.events.lock().len();
            let cut = Store::on(Box::new(Memory::new(disk.recorder.cut(events, &mut rng))), Access::Read);
            assert_eq!(count_damaged(&cut.unwrap().reader().unwrap(), &mut ()).unwrap(), 0);
        }
        import(&store, None, 50, 10, &mut rng);
        assert_eq!(count_damaged(&store.reader().unwrap(), &mut ()).unwrap(), 0, "round {round}");
        let after = content_of(&store);
        let memory = Memory::new(disk.recorder.memory.bytes());
        assert_eq!(content_of(&Store::on(Box::new(memory), Access::Write).unwrap()), after);
    }
}
