/** A piece of XML, whose texts are escaped. */
export class Xml {
  constructor(readonly text: string) {}
}

type Content = Xml | string | number | null | undefined | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
};

/** Characters that XML has no room for. */
export const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** @param text of characters that XML has room for */
export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);

const written = (text: string | number) => escapeXml(String(text).replace(NOT_IN_XML, ''));

const contentText = (content: Content): string => {
  if (content === undefined || content === null) return '';
  if (content instanceof Xml) return content.text;
  return typeof content === 'object' ? content.map(contentText).join('') : written(content);
};

/** An element; attributes without a value are left out, and so are characters that XML has no room for. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...content: Content[]
): Xml {
  const said = Object.entries(attributes).flatMap(([attribute, value]) =>
    value === undefined ? [] : [` ${attribute}="${written(value)}"`],
  );
  return new Xml(`<${name}${said.join('')}>${contentText(content)}</${name}>`);
}

/** Elements of texts by their names; of several of a name one each, of an empty one none. */
export const elements = (
  named: Readonly<Record<string, string | null | readonly (string | null)[]>>,
): Xml[] =>
  Object.entries(named).flatMap(([name, texts]) =>
    [texts].flat().flatMap((text) => (text === null || text === '' ? [] : [element(name, {}, text)])),
  );

export const xmlDocument = ({ text }: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;

export const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
