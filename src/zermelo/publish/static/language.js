// The page's language: the reader's choice, or the first of the browser's languages that is known. The words of all
// languages are in the page, so that another language needs no request.

const {words, languages} = globalThis.zermelo;
const KEY = "zermelo-language";

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // some browsers refuse it to pages that are files
  }
}

function chosen() {
  const wanted = [new URLSearchParams(location.hash.slice(1)).get("lang"), kept(), ...(navigator.languages ?? [])];
  return wanted.map((code) => code?.slice(0, 2)).find((code) => code in languages) ?? "en";
}

export const language = chosen();

/** A text in the page's language, with its {parts} filled in. */
export function t(text, parts = {}) {
  return (words[language]?.[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => parts[name] ?? whole);
}

/** Translate the texts that came with the page: data-t is the text of an element, and data-t-... that of an attribute. */
export function translatePage() {
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const name of ["title", "aria-label"]) {
    for (const element of document.querySelectorAll(`[data-t-${name}]`)) element.setAttribute(name, t(element.getAttribute(`data-t-${name}`)));
  }
}

/** Let the links at the foot of the page choose another language. The address says which, where nothing can be kept. */
export function prepareLanguages(list) {
  for (const link of list.querySelectorAll("a[hreflang]")) {
    if (link.hreflang === language) link.setAttribute("aria-current", "true");
    link.addEventListener("click", (event) => {
      event.preventDefault();
      try {
        localStorage.setItem(KEY, link.hreflang);
      } catch {
        // the address is enough
      }
      const query = new URLSearchParams(location.hash.slice(1));
      query.set("lang", link.hreflang);
      location.hash = query.toString();
      location.reload();
    });
  }
}
