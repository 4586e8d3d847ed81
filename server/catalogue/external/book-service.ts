import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { z } from 'zod';
import { millisecondsLeft } from '#platform/deadline.js';
import { isPrivateHost, lookupPublicAddress } from './public-address.js';

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

/** A service that is asked for books by their ISBN. */
export interface BookService {
  /** For sentences. */
  name: string;
  /**
   * @returns undefined where the service does not know the book
   * @throws ServiceFailed where it gave no usable answer
   */
  find(isbn: string): Promise<FoundBook | undefined>;
}

/** A service did not answer, or not with what it promises. */
export class ServiceFailed extends Error {}

/** Milliseconds for a whole answer, redirects included: somebody waits at the form, and there are two services. */
const LONGEST = 3_500;
/** Bytes; answers are some kilobytes. */
const LARGEST = 1024 * 1024;
const MAX_REDIRECTS = 3;

/**
 * Asks for JSON. A service may redirect within itself, and elsewhere to public addresses alone: what the operator named
 * may be anywhere, what its answers name may not.
 * @returns undefined where there is none (404)
 * @throws ServiceFailed for any other status, no answer in time, too large a one, or one of another shape
 */
export async function getJson<Schema extends z.ZodType>(
  address: URL,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  let text: string | undefined;
  try {
    text = await followed(
      address,
      AbortSignal.timeout(Math.max(0, Math.min(LONGEST, Math.floor(millisecondsLeft())))),
    );
  } catch (error) {
    if (error instanceof ServiceFailed) throw error;
    throw new ServiceFailed('no answer', { cause: error });
  }
  if (text === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ServiceFailed('the answer is no JSON', { cause: error });
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new ServiceFailed('the answer has another shape', { cause: result.error });
  return result.data;
}

async function followed(named: URL, signal: AbortSignal): Promise<string | undefined> {
  let address = named;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await ask(address, address.origin === named.origin, signal);
    const { statusCode = 0, headers } = response;
    if (statusCode === 200) return readBounded(response);
    response.destroy();
    if (statusCode === 404) return undefined;
    if (![301, 302, 303, 307, 308].includes(statusCode)) throw new ServiceFailed(`status ${statusCode}`);
    const to = headers.location ?? '';
    if (!URL.canParse(to, address.href)) throw new ServiceFailed('a redirect to nowhere');
    address = new URL(to, address);
    if (address.origin !== named.origin && (address.protocol !== named.protocol || isPrivateHost(address))) {
      throw new ServiceFailed('a redirect to an address that is not public');
    }
  }
  throw new ServiceFailed('too many redirects');
}

function ask(address: URL, isNamed: boolean, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      headers: { accept: 'application/json', 'user-agent': 'Lectern (library management)' },
      signal,
      ...(!isNamed && { lookup: lookupPublicAddress }),
    };
    const request =
      address.protocol === 'https:'
        ? https.get(address, options, resolve)
        : http.get(address, options, resolve);
    request.on('error', reject);
  });
}

async function readBounded(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > LARGEST) throw new ServiceFailed('the answer is too large');
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
