let say = (text: string) => text;

/** How the site says a text of English: otherwise, where a test looks at it in another language. */
export const said = (text: string): string => say(text);

/** Before the module is loaded that lists what is looked at. */
export function sayAs(how: (text: string) => string): void {
  say = how;
}

/** What a text begins with of which this is the begin in English. */
export const beginOf = (text: string): string => said(text).replace(/\W$/u, '');
