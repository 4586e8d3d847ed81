import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { ANSWER_KEPT, type Delivery } from '#contracts/webhooks/webhooks.js';
import { requestPublic } from '../http/public-address.js';

/** Milliseconds for a whole answer, usually. */
const LONGEST = 15_000;

type Answered = Pick<Delivery, 'status' | 'problem' | 'answer'>;

/**
 * Posts JSON to an address of the public internet, or to one that the operator named. Redirects are not followed, and no more is read
 * of an answer than is kept: whoever answers could be anybody. Each time the connection is a new one, whose address is looked at.
 * @param longest milliseconds for a whole answer
 */
export async function post(
  address: URL,
  isNamed: boolean,
  headers: OutgoingHttpHeaders,
  body: string,
  longest = LONGEST,
): Promise<Answered> {
  try {
    const options = {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(longest),
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Lectern' },
    };
    const response = await requestPublic(address, isNamed, options, body);
    return { status: response.statusCode ?? null, problem: null, answer: await beginOf(response) };
  } catch (error) {
    return { status: null, problem: problemOf(error as NodeJS.ErrnoException), answer: '' };
  }
}

/** The begin of an answer, without what would change how a page shows it. */
async function beginOf(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response) {
      text += decoder.decode(chunk as Buffer, { stream: true });
      if (text.length >= ANSWER_KEPT) break;
    }
  } catch {
    // It answered, which is what counts.
  }
  response.destroy();
  const plain = text.slice(0, ANSWER_KEPT).replace(/[\p{C}\s]+/gu, ' ');
  return plain.trim();
}

function problemOf(error: NodeJS.ErrnoException): Answered['problem'] {
  if (error.code === 'ENOTPUBLIC') return 'not-public';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'timeout';
  return /CERT|SSL|TLS|EPROTO|SELF_SIGNED|UNABLE_TO/.test(error.code ?? '') ? 'tls' : 'unreachable';
}
