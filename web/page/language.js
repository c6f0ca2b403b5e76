// The language of the page, and what its table has. A language needs a file in `languages`, a line here and one in the server's
// list of files.

/** Languages by their names in themselves. @type {Record<string, string>} */
export const LANGUAGES = {
  en: "English",
  zh: "简体中文",
  ja: "日本語",
  ko: "한국어",
  ru: "Русский",
  vi: "Tiếng Việt",
};

/** Tags for `lang` that say more than the language's own. @type {Record<string, string>} */
const TAGS = { zh: "zh-Hans" };

/**
 * The language to use: the one that was chosen, else the first that the browser's user reads.
 * @param {string} chosen `auto` or a language @param {readonly string[]} wanted tags such as `en-GB`
 */
export function languageFor(chosen, wanted) {
  const all = [chosen, ...wanted.map((tag) => tag.toLowerCase().split("-")[0])];
  return all.find((name) => Object.hasOwn(LANGUAGES, name)) || "en";
}

/** Texts in the language, as far as there are any; all others are English. @type {Record<string, string>} */
export let texts = {};

/**
 * Loads the texts of the language that is chosen in the settings, before any is used.
 * @param {string} chosen @returns {Promise<string>} the value of `lang` for the page
 */
export async function loadTexts(chosen) {
  const language = languageFor(chosen, navigator.languages || [navigator.language]);
  if (language === "en") return "en";
  try {
    texts = (await import(`./languages/${language}.js`)).default;
    return TAGS[language] || language;
  } catch {
    // English is better than no page.
    return "en";
  }
}
