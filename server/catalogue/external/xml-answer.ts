import { readXml } from '../marc/read-xml.js';
import { getText, ServiceFailed, type Asking } from './book-service.js';

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

/** The elements that the two protocols answer with. */
const ROOTS = { SRU: 'searchRetrieveResponse', 'OAI-PMH': 'OAI-PMH' };
/** What they wrap a record of MARC in. */
const WRAPPERS = ['metadata', 'recordData'];

/**
 * Asks a service that speaks a protocol.
 * @throws ServiceFailed
 */
export async function askXml(
  protocol: keyof typeof ROOTS,
  address: string,
  asked: Readonly<Record<string, string>>,
  asking: Asking,
): Promise<XmlAnswer> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  const xml = await getText(url, asking);
  if (xml === undefined) throw new ServiceFailed('status 404');
  const answer = readXmlAnswer(xml);
  if (!answer.texts.has(ROOTS[protocol])) throw new ServiceFailed(`the answer is none of ${protocol}`);
  return answer;
}

/** Takes an answer apart, whatever prefixes it uses. */
function readXmlAnswer(xml: string): XmlAnswer {
  const records: AnsweredRecord[] = [];
  const texts = new Map<string, string>();
  const path: string[] = [];
  let marc: { depth: number; from: number } | undefined;
  readXml(xml, {
    open(name, attributes, from) {
      if (name === 'record' && !marc) {
        if (path.some((each) => WRAPPERS.includes(each))) marc = { depth: path.length, from };
        else records.push({ identifier: '', isDeleted: false, marc: undefined });
      }
      const record = records.at(-1);
      if (name === 'header' && record) record.isDeleted = attributes['status'] === 'deleted';
      if (name === 'error') texts.set('code', attributes['code'] ?? '');
      path.push(name);
    },
    close(name, text, to) {
      path.pop();
      const record = records.at(-1);
      if (marc && record && path.length === marc.depth) {
        record.marc = xml.slice(marc.from, to);
        marc = undefined;
      } else if (name === 'identifier' && path.at(-1) === 'header' && record) record.identifier = text.trim();
      // SRU may give it as a text.
      else if (name === 'recordData' && record && text.trim().startsWith('<')) record.marc ??= text;
      else if (!texts.has(name)) texts.set(name, text.trim());
    },
    refusal: () => new ServiceFailed('the answer is no XML'),
  });
  return { records, texts };
}
