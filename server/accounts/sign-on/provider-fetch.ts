import type { IncomingMessage } from 'node:http';
import type { SignOnOutcome } from '#contracts/accounts/sign-on-providers.js';
import { millisecondsLeft } from '#platform/deadline.js';
import { requestPublic } from '../../http/public-address.js';

/** Milliseconds for one answer of a provider. */
const LONGEST = 4_000;
/** Bytes; keys and claims are some kilobytes. */
const LARGEST = 512 * 1024;

/** A provider did not answer, or not as OpenID Connect has it. The reason is a code, and names nobody. */
export class SignOnFailed extends Error {
  constructor(
    readonly outcome: SignOnOutcome,
    readonly reason: string,
  ) {
    super(`${outcome}: ${reason}`);
  }
}

interface Asked {
  method?: string;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: unknown;
}

/**
 * `fetch` of what providers name: encrypted and at public addresses, unless the operator has named the host. No redirect is followed,
 * and nothing is waited for beyond the time that the call has left.
 */
export function providerFetch(isNamed: (address: URL) => boolean) {
  return async (url: string, { method = 'GET', headers, body }: Asked): Promise<Response> => {
    const address = new URL(url);
    const named = isNamed(address);
    if (!named && address.protocol !== 'https:') throw new SignOnFailed('insecure', address.protocol);
    const signal = AbortSignal.timeout(Math.max(0, Math.min(LONGEST, millisecondsLeft())));
    try {
      const options = { method, signal, agent: false, headers: Object.fromEntries(new Headers(headers)) };
      const form = body instanceof URLSearchParams ? body.toString() : undefined;
      return await readAnswer(await requestPublic(address, named, options, form));
    } catch (error) {
      if (error instanceof SignOnFailed) throw error;
      if (signal.aborted) throw new SignOnFailed('timed-out', 'no answer in time');
      const { code = 'no answer' } = error as NodeJS.ErrnoException;
      throw new SignOnFailed(code === 'ENOTPUBLIC' ? 'private' : 'unreachable', code);
    }
  };
}

async function readAnswer(response: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > LARGEST) throw new SignOnFailed('no-openid', 'the answer is too large');
    chunks.push(bytes);
  }
  const { statusCode: status = 500, headers } = response;
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Response(size > 0 ? Buffer.concat(chunks) : null, { status, headers: kept });
}
