// The texts of the scripts in the page's language, found by their English. `make messages` writes ../words.

export const language = document.documentElement.lang || "en";

const words = language === "en" ? {} : await fetch(new URL(`../words/${language}.json`, import.meta.url))
  .then((answer) => (answer.ok ? answer.json() : {}), () => ({}));

/** A text in the page's language, with its {parts} filled in. */
export function t(text, parts = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
}
