import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto';

/** What a trick is made of: a good token, the secret that signed it, the time, and somebody else's session. */
export interface TokenParts {
  token: string;
  secret: string;
  at: Date;
  other: { id: string; sid: string };
}

type Json = Record<string, unknown>;

const DIGESTS: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };
const encoded = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json;

/**
 * Tokens that must not open anything, by what is tried with them. Those of an attacker, who has a good token and no
 * secret; and those that the secret signed, which say what no token of this library says.
 */
export function tokenTricks({ token, secret, at, other }: TokenParts): Record<string, string> {
  const [head = '', body = '', signature = ''] = token.split('.');
  const header = decoded(head);
  const claims = decoded(body);
  const now = Math.floor(at.getTime() / 1000);
  /** Signed by a key, by any header and claims. */
  const by = (key: string | Buffer, changedHeader: Json = {}, changedClaims: Json = {}) => {
    const newHeader = { ...header, ...changedHeader };
    const content = `${encoded(newHeader)}.${encoded({ ...claims, ...changedClaims })}`;
    const digest = DIGESTS[String(newHeader['alg'])] ?? 'sha256';
    return `${content}.${createHmac(digest, key).update(content).digest('base64url')}`;
  };
  const claiming = (changed: Json) => by(secret, {}, changed);
  const unsigned = (alg: unknown) => `${encoded({ ...header, alg })}.${body}.`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const ownKey = (more: Json) => {
    const content = `${encoded({ ...header, alg: 'RS256', ...more })}.${body}`;
    return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
  };
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const oct = { kty: 'oct', k: encoded('mine') };

  return {
    'no algorithm, no signature': unsigned('none'),
    'no algorithm, written otherwise': unsigned('nOnE'),
    'no algorithm, an old signature': unsigned('none') + signature,
    'an algorithm of another name': by('x', { alg: 'HMAC' }),
    'an empty algorithm': by(secret, { alg: '' }),
    'a list of algorithms': by(secret, { alg: ['HS256'] }),
    'a missing algorithm': by(secret, { alg: undefined }),
    'HS384 by the secret': by(secret, { alg: 'HS384' }),
    'HS512 by the secret': by(secret, { alg: 'HS512' }),
    'two algorithms': `${encoded('{"alg":"none","alg":"HS256","typ":"JWT"}')}.${body}.${signature}`,
    'RS256 by a key of its own': ownKey({}),
    'RS256, its key beside it': ownKey({ jwk: publicKey.export({ format: 'jwk' }) }),
    'RS256, its key elsewhere': ownKey({ jku: 'http://127.0.0.1:9/keys', x5u: 'http://127.0.0.1:9/cert' }),
    'RS256, its certificate beside it': ownKey({ x5c: [encoded(pem)] }),
    'HS256 by a public key': by(pem),
    'HS256, its key beside it': by('mine', { jwk: oct }),
    'a key of a file': by('', { kid: '../../../../../../dev/null' }),
    'a key of the database': by('mine', { kid: "x' union select 'mine' --" }),
    'a key of a command': by('mine', { kid: '$(echo mine)' }),
    'a key of the prototype': by('', { kid: '__proto__' }),
    'no key at all': by(''),
    'a weak key': by('secret'),
    'the name of the library as the key': by('lectern'),
    'the secret with a line’s end': by(`${secret}\n`),
    'the secret as bytes': by(Buffer.from(secret, 'hex')),
    'an extension that is critical': by(secret, { crit: ['exp-later'], 'exp-later': true }),
    'a body that is not encoded': by(secret, { b64: false, crit: ['b64'] }),
    'a changed body': `${head}.${encoded({ ...claims, exp: now + 1_000_000 })}.${signature}`,
    'a claim twice': `${head}.${encoded(`${JSON.stringify(claims).slice(0, -1)},"sub":"${other.id}"}`)}.${signature}`,
    'a changed signature': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'half a signature': `${head}.${body}.${signature.slice(0, 20)}`,
    'an empty signature': `${head}.${body}.`,
    'two parts': `${head}.${body}`,
    'four parts': `${token}.${signature}`,
    'five parts, as if encrypted': `${encoded({ alg: 'dir', enc: 'A256GCM' })}..${encoded('iv')}.${body}.${encoded('tag')}`,
    'dots alone': '..',
    'JSON for a token': JSON.stringify({ payload: body, protected: head, signature }),
    'a huge token': `${head}.${body}.${'A'.repeat(8_000)}`,
    'a token of yesterday': claiming({ exp: now - 86_400 }),
    'a token of tomorrow': claiming({ nbf: now + 86_400 }),
    'an end that is no number': claiming({ exp: '9999999999' }),
    'an end beyond numbers': claiming({ exp: Number.MAX_VALUE * 10 }),
    'no end': claiming({ exp: undefined }),
    'no beginning': claiming({ iat: undefined }),
    'another issuer': claiming({ iss: 'elsewhere' }),
    'the issuer of the queues’ page': claiming({ iss: 'lectern-queues' }),
    'no issuer': claiming({ iss: undefined }),
    'two issuers': claiming({ iss: ['lectern', 'elsewhere'] }),
    'another person in one’s own session': claiming({ sub: other.id }),
    'another’s session': claiming({ sid: other.sid }),
    'a session that never was': claiming({ sid: randomUUID() }),
    'no session': claiming({ sid: undefined }),
    'a session that is no text': claiming({ sid: { $ne: null } }),
    'sessions that were ended': claiming({ session: 0 }),
    'sessions to come': claiming({ session: 2 }),
    'a number of sessions as text': claiming({ session: '1' }),
    'a person that is a list': claiming({ sub: [claims['sub']] }),
    'a person that is no id': claiming({ sub: "' or 1=1 --" }),
    'a person of the prototype': claiming({ sub: '__proto__' }),
    'a role that there is not': claiming({ role: 'Root' }),
  };
}
