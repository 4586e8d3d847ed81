/**
 * A script for a page, run before its own: it keeps in `window.shown` when something was first there
 * (milliseconds since 1970, at the change of the DOM).
 * @param selector the elements that are looked at
 * @param nameOf a function, as JavaScript, that gives an element the name of what it shows now
 */
export function recordChanges(selector: string, nameOf: string): string {
  return `
    window.shown = {};
    new MutationObserver(() => {
      const now = Date.now();
      for (const element of document.querySelectorAll(${JSON.stringify(selector)})) {
        window.shown[(${nameOf})(element)] ??= now;
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });`;
}
