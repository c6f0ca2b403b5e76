// The challenge: a win at a level unlocks the next. The terms are those of `pbrain-kakugo play --challenge`.

import { challengeWon, keepChallenge } from "./settings.js";

/** Number of levels. */
export const LEVELS = 10;
/** The last level that is played by the rule freestyle. */
const LAST_FREESTYLE = 5;
/** The board of every level. */
export const CHALLENGE_SIZE = 15;

/** The highest level that may be played. */
export const unlockedLevel = () => Math.min(LEVELS, challengeWon() + 1);

/** The rule of a level. @param {number} level */
export const ruleAt = (level) => (level <= LAST_FREESTYLE ? "freestyle" : "renju");

/** Notes a win. @param {number} level */
export const noteWin = (level) => keepChallenge(Math.max(level, challengeWon()));
