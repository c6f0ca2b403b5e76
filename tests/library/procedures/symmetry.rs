//! The 26 openings by name in every orientation, and which moves are equivalent: compared with brute force.

use std::collections::HashSet;

use kakugo::board::{Board, Color, Point, Size};
use kakugo::rules::procedure::{OPENINGS, Opening, Symmetries};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};

use super::{images, points, size};

#[test]
fn the_26_openings_are_recognised_by_name() {
    // As the rules page lists them.
    let direct = "h10 i10 j10 i9 j9 i8 j8 h7 i7 j7 h6 i6 j6";
    let indirect = "j10 j9 j8 j7 j6 i8 i7 i6 h7 h6 g7 g6 f6";
    let names = "Kansei Keigetsu Sosei Kagetsu Zangetsu Ugetsu Kinsei Shogetsu Kyugetsu Shingetsu Zuisei Sangetsu \
                 Yusei Chosei Kyogetsu Kosei Suigetsu Ryusei Ungetsu Hogetsu Rangetsu Gingetsu Myojo Shagetsu \
                 Meigetsu Suisei";
    let stones = |white: &str, text: &str| -> Vec<Vec<Point>> {
        text.split(' ').map(|third| points(&format!("h8{white}{third}"))).collect()
    };
    let all = [stones("h9", direct), stones("i9", indirect)].concat();
    assert_eq!(all.len(), 26);
    for ((stones, opening), name) in all.iter().zip(&OPENINGS).zip(names.split(' ')) {
        assert_eq!(opening.stones(size()).unwrap().as_slice(), stones, "{}", opening.code);
        assert_eq!(opening.name, name);
        for text in [opening.name, opening.code] {
            assert_eq!(Opening::by_name(&text.to_lowercase()), Some(opening));
        }
        for turned in images(stones) {
            assert_eq!(Opening::of_stones(&turned, size()), Some(opening), "{turned:?}");
        }
    }
    assert_eq!(OPENINGS[3].code, "4D");
    assert_eq!(OPENINGS[25].code, "13I");
    assert_eq!(Opening::by_name("14D"), None);
}

#[test]
fn every_three_stones_near_the_centre_have_one_name() {
    let near = |distance: i32| {
        move |p: &Point| (i32::from(p.x()) - 7).abs() <= distance && (i32::from(p.y()) - 7).abs() <= distance
    };
    let center = size().center();
    let mut seen = vec![0; OPENINGS.len()];
    for white in size().points().filter(near(1)).filter(|&p| p != center) {
        for black in size().points().filter(near(2)).filter(|&p| p != center && p != white) {
            let opening = Opening::of_stones(&[center, white, black], size()).expect("one of the 26");
            seen[OPENINGS.iter().position(|other| other == opening).unwrap()] += 1;
        }
    }
    assert_eq!(seen.iter().sum::<usize>(), 8 * 23);
    for (opening, count) in OPENINGS.iter().zip(seen) {
        assert_eq!(count, images(&opening.stones(size()).unwrap()).len(), "{}", opening.name);
    }
}

/// Whether some rotation or reflection about any centre, tried one by one, preserves the stones and maps `a`
/// to `b`.
fn naively_same(board: &Board, a: Point, b: Point) -> bool {
    let xy = |p: Point| (i32::from(p.x()), i32::from(p.y()));
    let stones = |color| board.stones(color).iter().map(xy).collect::<HashSet<_>>();
    for (swap, sx, sy) in (0..8).map(|way| (way & 4 != 0, 1 - (way & 1) * 2, 1 - (way & 2))) {
        for (dx, dy) in (-30..=30).flat_map(|dx| (-30..=30).map(move |dy| (dx, dy))) {
            let map = |(x, y): (i32, i32)| {
                let (x, y) = if swap { (y, x) } else { (x, y) };
                (sx * x + dx, sy * y + dy)
            };
            if map(xy(a)) != xy(b) {
                continue;
            }
            let keeps = |color| stones(color).into_iter().map(map).collect::<HashSet<_>>() == stones(color);
            if Color::ALL.into_iter().all(keeps) {
                return true;
            }
        }
    }
    false
}

#[test]
fn without_stones_the_board_is_symmetric() {
    for (size, wanted) in
        [(Size::default(), 36), (Size::square(20).unwrap(), 55), (Size::new(20, 15).unwrap(), 80)]
    {
        let symmetries = Symmetries::of(&Board::new(size));
        assert_eq!(symmetries.distinct(size.points()).len(), wanted, "{size}");
    }
}

#[test]
fn symmetric_fifths_agree_with_brute_force() {
    let mut rng = SmallRng::seed_from_u64(8);
    let side = Size::square(9).unwrap();
    let mut trivial = 0;
    for _ in 0..60 {
        // Few points, so that symmetries are common, and often away from the centre of the board.
        let corner: (u8, u8) = (rng.random_range(0..6), rng.random_range(0..6));
        let mut few: Vec<Point> = (0..9).map(|i| Point::new(corner.0 + i % 3, corner.1 + i / 3)).collect();
        few.shuffle(&mut rng);
        let board = Board::of_moves(side, &few[..4]);
        let symmetries = Symmetries::of(&board);
        trivial += usize::from(symmetries.is_trivial());
        let empty: Vec<Point> = board.empty().iter().collect();
        for _ in 0..15 {
            let a = *empty.choose(&mut rng).unwrap();
            let images: Vec<Point> = symmetries.images(a).collect();
            let b = if rng.random() {
                *images.choose(&mut rng).unwrap()
            } else {
                *empty.choose(&mut rng).unwrap()
            };
            assert_eq!(symmetries.are_same(a, b), naively_same(&board, a, b), "{a:?} {b:?} {board:?}");
            assert_eq!(symmetries.are_same(a, b), symmetries.are_same(b, a));
        }
        assert!(empty.iter().all(|&a| symmetries.are_same(a, a)));
    }
    assert!((10..55).contains(&trivial), "both kinds were tried: {trivial} of 60 had no symmetry");
}
