import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { SourceOutcome } from '#contracts/catalogue/book-sources.js';
import { requestPublic } from '../../http/public-address.js';

/** A book as a service outside knows it; what it does not know is empty. */
export interface FoundBook {
  title: string;
  description: string;
  /** As they are printed. */
  authors: string[];
  genres: string[];
  publisher: string;
  /** As it is printed. */
  published: string;
  /** A code of it; empty where nobody knows it. */
  language: string;
}

/** How a service is asked. */
export interface Asking {
  /** Ends it when the service's time is over. */
  signal: AbortSignal;
  /** Whether the operator has named this address: it may lie in the library's own network. */
  isNamed: (address: URL) => boolean;
  /** Sent to the named origin alone. */
  headers?: Record<string, string>;
  /** Bytes of an answer. */
  largest?: number;
}

/** A service did not answer, or not with what it promises. */
export class ServiceFailed extends Error {
  constructor(
    message: string,
    readonly outcome: SourceOutcome = 'failed',
    /** Seconds after which it wants to be asked again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** Bytes; answers about one book are some kilobytes. */
const LARGEST = 1024 * 1024;
const MAX_REDIRECTS = 3;
const HEADERS = {
  accept: 'application/json, application/xml, text/xml',
  'user-agent': 'Lectern (library management)',
};
const UNREACHABLE = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EHOSTDOWN)$/;

/**
 * Asks for JSON, as `getText` does.
 * @returns undefined where there is none (404)
 * @throws ServiceFailed also for an answer of another shape
 */
export async function getJson<Schema extends z.ZodType>(
  address: URL,
  schema: Schema,
  asking: Asking,
): Promise<z.output<Schema> | undefined> {
  const text = await getText(address, asking);
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ServiceFailed('the answer is no JSON');
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new ServiceFailed('the answer has another shape');
  return result.data;
}

/**
 * Asks for a text. A service may redirect to public addresses, and to what the operator has named; every step is looked at.
 * @returns undefined where there is none (404)
 * @throws ServiceFailed for any other status, no answer in time, too large a one, or an address that is not public
 */
export async function getText(named: URL, asking: Asking): Promise<string | undefined> {
  try {
    return await followed(named, asking);
  } catch (error) {
    if (error instanceof ServiceFailed) throw error;
    if (asking.signal.aborted) throw new ServiceFailed('no answer in time', 'timed-out');
    const { code = '' } = error as NodeJS.ErrnoException;
    const outcome = code === 'ENOTPUBLIC' ? 'private' : UNREACHABLE.test(code) ? 'unreachable' : 'failed';
    throw new ServiceFailed(code || 'no answer', outcome);
  }
}

async function followed(named: URL, asking: Asking): Promise<string | undefined> {
  let address = named;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { signal } = asking;
    const headers = { ...HEADERS, ...(address.origin === named.origin && asking.headers) };
    const response = await requestPublic(address, asking.isNamed(address), { headers, signal });
    const { statusCode = 0, headers: answered } = response;
    if (statusCode === 200) return readBounded(response, asking.largest ?? LARGEST);
    response.destroy();
    if (statusCode === 404) return undefined;
    if (![301, 302, 303, 307, 308].includes(statusCode)) {
      throw new ServiceFailed(`status ${statusCode}`, 'failed', secondsOf(answered['retry-after']));
    }
    const to = answered.location ?? '';
    if (!URL.canParse(to, address.href)) throw new ServiceFailed('a redirect to nowhere');
    const from = address;
    address = new URL(to, address);
    if (address.protocol !== from.protocol && address.protocol !== 'https:') {
      throw new ServiceFailed('a redirect to another protocol');
    }
  }
  throw new ServiceFailed('too many redirects');
}

/** Seconds, or the time of a day. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

async function readBounded(response: IncomingMessage, largest: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > largest) throw new ServiceFailed('the answer is too large');
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

/** A text that may be missing, or of a kind that nobody promised: then it is empty, and the rest still counts. */
export const lenientText = z.string().catch('').default('');

/** A list without the items that do not fit the schema. */
export const lenientList = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((items) =>
      items.slice(0, 200).flatMap((each) => {
        const result = item.safeParse(each);
        return result.success ? [result.data] : [];
      }),
    );

/** A title with what stands below it. */
export function fullTitle(title: string, subtitle: string): string {
  return [title.trim(), subtitle.trim()].filter((part) => part !== '').join(': ');
}
