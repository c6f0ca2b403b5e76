// Detects the code page of texts in files; old files do not state it. Knows nothing of the page.

/** Pages of two bytes a character, by the language that uses them. @type {[RegExp, string][]} */
const DOUBLE = [
  [/^zh-(tw|hk|mo|hant)/i, "big5"],
  [/^zh/i, "gb18030"],
  [/^ja/i, "shift_jis"],
  [/^ko/i, "euc-kr"],
];
/** Number of two-byte characters that is enough to distinguish Korean from Chinese. */
const ENOUGH = 8;

/** Code pages in SGF that decide nothing: UTF-8 is tried anyway, and files in UTF-16 are known by their beginning. */
const VAGUE = /^(utf|(us-)?ascii)/i;

/**
 * The text of a file: in UTF-16 by its first bytes, in the code page that SGF states, in UTF-8 if at most about one in ten
 * of the characters beyond ASCII is broken, or as {@link decoderOf} finds.
 * @param {Uint8Array} bytes @param {readonly string[]} languages
 */
export function textOf(bytes, languages) {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder("utf-16le").decode(bytes);
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder("utf-16be").decode(bytes);
  const text = new TextDecoder().decode(bytes);
  const [, page = ""] = /^\s*\(\s*(?=;)[^]{0,999}?[\]\s;]CA\s*\[\s*([^\]\s]+)/.exec(text) || [];
  const broken = text.split("\ufffd").length - 1;
  const whole = text.replace(/[\0-\x7f\ufffd]+/g, "").length;
  const isUtf8 = 10 * broken <= whole;
  try {
    if (page && !VAGUE.test(page)) {
      const stated = new TextDecoder(page, { fatal: true });
      // Latin-1 is SGF's default and never fails; programs state it for texts in UTF-8 too.
      if (stated.encoding !== "windows-1252" || !isUtf8) return stated.decode(bytes);
    }
  } catch {
    // No browser knows this page, or the file is in another.
  }
  return isUtf8 ? text : decoderOf([bytes], languages).decode(bytes);
}

/**
 * A decoder for texts: UTF-8 if all of them are valid, otherwise the code page that fits their bytes best. If several fit, the
 * one of the user's language is preferred, then simplified Chinese, which many libraries use.
 * @param {Uint8Array[]} texts @param {readonly string[]} languages
 */
export function decoderOf(texts, languages) {
  const fits = (/** @type {string} */ page) => {
    try {
      for (const text of texts) new TextDecoder(page, { fatal: true }).decode(text);
      return true;
    } catch {
      return false;
    }
  };
  const own = languages.flatMap((tag) => DOUBLE.find(([language]) => language.test(tag))?.[1] || []);
  return new TextDecoder(["utf-8", ...likely(measure(texts), own)].find(fits) || "windows-1252");
}

/**
 * Counts bytes from 0x80 on: all; without such a neighbour; up to 0x9f; letters of Windows' Cyrillic page. As characters of
 * two bytes: all; those that Korean writes with; those whose second byte is one of ASCII.
 * @param {Uint8Array[]} texts
 */
function measure(texts) {
  const count = { high: 0, alone: 0, low: 0, cyrillic: 0, pairs: 0, korean: 0, mixed: 0 };
  for (const text of texts) {
    let isSecond = false;
    text.forEach((byte, index) => {
      if (isSecond) {
        isSecond = false;
        count.mixed += Number(byte < 0x80);
      } else if (byte >= 0x80) {
        isSecond = true;
        count.pairs++;
        count.korean += Number(byte <= 0xc8 && byte >= 0xa1);
      }
      if (byte < 0x80) return;
      count.high++;
      count.low += Number(byte < 0xa0);
      count.cyrillic += Number(byte >= 0xc0 || byte === 0xa8 || byte === 0xb8);
      count.alone += Number(!(text[index - 1] >= 0x80) && !(text[index + 1] >= 0x80));
    });
  }
  return count;
}

/** Pages in the order in which they are tried. @param {ReturnType<typeof measure>} count @param {string[]} own */
function likely({ high, alone, low, cyrillic, pairs, korean, mixed }, own) {
  if (alone > high / 2) return ["windows-1252"];
  if (cyrillic === high) return ["windows-1251"];
  // Kana and many characters of Shift-JIS begin with such bytes, the usual characters of the other pages do not.
  if (low > high / 5) return ["shift_jis", ...own, "gb18030"];
  const others = own.filter((page) => page !== "shift_jis");
  // About a third of the usual characters in Big5, few of those in the Chinese page.
  if (mixed > pairs / 8) return [...others, "big5", "gb18030"];
  if (korean === pairs && pairs >= ENOUGH) return [...others, "euc-kr", "gb18030"];
  return [...others, "gb18030"];
}
