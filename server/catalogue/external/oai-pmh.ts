import { setTimeout as sleep } from 'node:timers/promises';
import type { BookSource } from '#contracts/catalogue/book-sources.js';
import { ServiceFailed, type Asking } from './book-service.js';
import { askXml, type XmlAnswer } from './xml-answer.js';

export type OaiSource = Extract<BookSource, { kind: 'oai-pmh' }>;

/** Bytes of a page; some repositories give a thousand records at once. */
const LARGEST = 30 * 1024 * 1024;
/** Seconds that a repository may have itself waited for, and how often in a row. */
const LONGEST_WAIT = 600;
const MAX_WAITS = 6;

/**
 * Lists what is new in a set, page by page.
 * @param since a day (yyyy-MM-dd), which every repository understands; all of it without one
 * @param asking makes what each page is asked with
 * @throws ServiceFailed
 */
export async function* listRecords(
  { address, format, set }: OaiSource,
  since: string | null,
  asking: () => Asking,
  closing: AbortSignal,
): AsyncGenerator<XmlAnswer> {
  const tokens = new Set<string>();
  let asked: Record<string, string> = {
    metadataPrefix: format,
    ...(since !== null && { from: since }),
    ...(set !== '' && { set }),
  };
  for (;;) {
    const page = await patiently(closing, () =>
      askXml('OAI-PMH', address, { verb: 'ListRecords', ...asked }, { ...asking(), largest: LARGEST }),
    );
    const { texts } = page;
    const code = texts.get('code');
    if (code !== undefined && code !== 'noRecordsMatch')
      throw new ServiceFailed(`${code} ${texts.get('error') ?? ''}`);
    yield page;
    const token = texts.get('resumptionToken') ?? '';
    if (token === '') return;
    if (tokens.has(token)) throw new ServiceFailed('the list goes round and round');
    tokens.add(token);
    asked = { resumptionToken: token };
  }
}

/** A repository that is busy says when it wants to be asked again. */
async function patiently<Answer>(closing: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await ask();
    } catch (error) {
      const seconds = error instanceof ServiceFailed ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > LONGEST_WAIT || waits >= MAX_WAITS) throw error;
      await sleep(seconds * 1000, undefined, { signal: closing });
    }
  }
}
