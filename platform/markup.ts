const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#xD;',
};

/** Characters that XML has no room for. */
export const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as content or attribute of HTML and XML, without what XML has no room for. */
export function escapeMarkup(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"'\r]/g, (character) => ENTITIES[character] ?? '');
}

/** HTML or XML in which every text has been escaped. */
export class Markup {
  constructor(private readonly source: string) {}

  toString(): string {
    return this.source;
  }
}

/** `false`, `null` and `undefined` are nothing. */
type Filling = string | number | Markup | readonly Filling[] | false | null | undefined;

/** A template of HTML or XML: what is filled in is a text, and is escaped, unless it was made by a template itself. */
export function markup(parts: TemplateStringsArray, ...fillings: Filling[]): Markup {
  return new Markup(parts.map((part, at) => part + sourceOf(fillings[at])).join(''));
}

function sourceOf(filling: Filling): string {
  if (filling === undefined || filling === null || filling === false) return '';
  if (filling instanceof Markup) return filling.toString();
  return typeof filling === 'object' ? filling.map(sourceOf).join('') : escapeMarkup(String(filling));
}
