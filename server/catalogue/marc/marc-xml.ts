import { escapeMarkup, NOT_IN_XML } from '#platform/markup.js';
import { readXml } from './read-xml.js';
import {
  isControl,
  isControlTag,
  MarcDamaged,
  type DataField,
  type MarcField,
  type MarcRecord,
} from './record.js';

/** Longest record, in characters; a longer one is passed over without being kept in memory. */
const LONGEST = 1_000_000;
const BEGIN = /<(?:[\w.-]+:)?record(?=[\s>])/;
const END = /<\/(?:[\w.-]+:)?record\s*>/;
export const MARC_NAMESPACE = 'http://www.loc.gov/MARC21/slim';

/** The text of a record element, or why there is no whole one. */
export type SplitElement = { xml: string } | { damaged: MarcDamaged };

/** Takes a file apart at its record elements, in memory for one: what is not well-formed costs its own record alone. */
export async function* splitMarcXml(chunks: AsyncIterable<string>): AsyncGenerator<SplitElement> {
  let text = '';
  let isTooLong = false;
  for await (const chunk of chunks) {
    text += chunk;
    for (;;) {
      const begin = isTooLong ? 0 : text.search(BEGIN);
      // A tag may go on in the next chunk.
      if (begin < 0) text = text.slice(-100);
      else if (begin > 0) text = text.slice(begin);
      const end = begin < 0 ? null : END.exec(text);
      if (!end) break;
      const xml = text.slice(0, end.index + end[0].length);
      text = text.slice(xml.length);
      yield isTooLong || xml.length > LONGEST
        ? { damaged: new MarcDamaged('too-long', String(LONGEST)) }
        : { xml };
      isTooLong = false;
    }
    if (text.length <= LONGEST) continue;
    isTooLong = true;
    text = text.slice(-100);
  }
  if (isTooLong || BEGIN.test(text)) yield { damaged: new MarcDamaged('truncated') };
}

/**
 * Reads a record element.
 * @throws MarcDamaged
 */
export function parseMarcXml(xml: string): MarcRecord {
  if (xml.includes('\ufffd')) throw new MarcDamaged('characters');
  let leader: string | undefined;
  const fields: MarcField[] = [];
  let tag = '';
  let code = '';
  let data: { indicators: string; subfields: [string, string][] } | undefined;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'controlfield' || name === 'datafield') tag = attributes['tag'] ?? '';
      if (name === 'datafield')
        data = { indicators: indicator(attributes['ind1']) + indicator(attributes['ind2']), subfields: [] };
      if (name === 'subfield') code = attributes['code'] ?? '';
    },
    close(name, text) {
      if (name === 'leader') leader = text;
      else if (name === 'controlfield') fields.push(sound({ tag, value: text }));
      else if (name === 'subfield') data?.subfields.push([code, text]);
      else if (name === 'datafield' && data) fields.push(sound({ tag, ...data }));
    },
    refusal: (reason) => new MarcDamaged('xml', reason.slice(0, 100)),
  });
  // Many write it with the blanks lost.
  const whole = leader?.padEnd(24);
  if (whole === undefined || !/^[\x20-\x7e]{24}$/.test(whole)) throw new MarcDamaged('leader');
  return { leader: whole, fields };
}

const indicator = (given: string | undefined) => (given === undefined || given === '' ? ' ' : given);

function sound(field: MarcField): MarcField {
  const { tag } = field;
  const isSound =
    /^[0-9A-Za-z]{3}$/.test(tag) &&
    (isControl(field) ? isControlTag(tag) : !isControlTag(tag) && isSoundData(field));
  if (!isSound) throw new MarcDamaged('field', tag.slice(0, 10));
  return field;
}

const isSoundData = ({ indicators, subfields }: DataField) =>
  /^[\x20-\x7e]{2}$/.test(indicators) && subfields.every(([code]) => /^[\x21-\x7e]$/.test(code));

export const MARC_XML_HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="${MARC_NAMESPACE}">\n`;
export const MARC_XML_TAIL = '</collection>\n';

/**
 * Writes a record element. Its leader says that it is Unicode, as XML is.
 * @param namespace said of an element that stands in no collection
 * @throws MarcDamaged for a character that XML has no room for
 */
export function writeMarcXml({ leader, fields }: MarcRecord, namespace?: string): string {
  const lines = fields.map((field) => {
    if (isControl(field))
      return `  <controlfield tag="${field.tag}">${escaped(field.value, field.tag)}</controlfield>\n`;
    const [first = ' ', second = ' '] = field.indicators;
    const subfields = field.subfields.map(
      ([code, value]) =>
        `    <subfield code="${escaped(code, field.tag)}">${escaped(value, field.tag)}</subfield>\n`,
    );
    const at = `tag="${field.tag}" ind1="${escaped(first, field.tag)}" ind2="${escaped(second, field.tag)}"`;
    return `  <datafield ${at}>\n${subfields.join('')}  </datafield>\n`;
  });
  const unicode = `${leader.slice(0, 9)}a${leader.slice(10)}`;
  const said = namespace === undefined ? '' : ` xmlns="${namespace}"`;
  return `<record${said}>\n  <leader>${escaped(unicode, '')}</leader>\n${lines.join('')}</record>\n`;
}

function escaped(text: string, tag: string): string {
  if (text.search(NOT_IN_XML) >= 0) throw new MarcDamaged('characters', tag);
  return escapeMarkup(text);
}
