import { SaxesParser } from 'saxes';
import { ServiceFailed } from './book-service.js';

/** A record in an answer of SRU or OAI-PMH. */
export interface AnsweredRecord {
  /** By which the service knows it; empty where it does not say. */
  identifier: string;
  isDeleted: boolean;
  /** Its MARCXML. */
  marc: string | undefined;
}

export interface XmlAnswer {
  records: AnsweredRecord[];
  /** What the elements say that come first of their names. */
  texts: ReadonlyMap<string, string>;
}

/** What the two protocols wrap a record of MARC in. */
const WRAPPERS = ['metadata', 'recordData'];

/**
 * Takes an answer apart, whatever prefixes it uses.
 * @throws ServiceFailed where it is not well-formed
 */
export function readXmlAnswer(xml: string): XmlAnswer {
  const records: AnsweredRecord[] = [];
  const texts = new Map<string, string>();
  const path: string[] = [];
  let text = '';
  let marc: { depth: number; from: number } | undefined;
  const parser = new SaxesParser();
  parser.on('error', () => {
    throw new ServiceFailed('the answer is no XML');
  });
  parser.on('text', (more) => (text += more));
  parser.on('cdata', (more) => (text += more));
  parser.on('opentag', ({ name, attributes }) => {
    const element = localName(name);
    if (element === 'record' && !marc) {
      if (path.some((each) => WRAPPERS.includes(each)))
        marc = { depth: path.length, from: xml.lastIndexOf('<', parser.position - 1) };
      else records.push({ identifier: '', isDeleted: false, marc: undefined });
    }
    const record = records.at(-1);
    if (element === 'header' && record) record.isDeleted = attributes['status'] === 'deleted';
    if (element === 'error') texts.set('code', attributes['code'] ?? '');
    path.push(element);
    text = '';
  });
  parser.on('closetag', ({ name }) => {
    const element = localName(name);
    path.pop();
    const record = records.at(-1);
    if (marc && record && path.length === marc.depth) {
      record.marc = xml.slice(marc.from, parser.position);
      marc = undefined;
    } else if (element === 'identifier' && path.at(-1) === 'header' && record)
      record.identifier = text.trim();
    // SRU may give it as a text.
    else if (element === 'recordData' && record && text.trim().startsWith('<')) record.marc ??= text;
    else if (!texts.has(element)) texts.set(element, text.trim());
    text = '';
  });
  parser.write(xml).close();
  return { records, texts };
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
