import * as m from '#words/messages.js';
import { isIP } from 'node:net';
import type { PasskeyProof, NewPasskeyBody } from '#contracts/accounts/second-factor.js';
import { DomainError } from '#contracts/domain-error.js';
import type { PasskeyEntity } from '#platform/database/entities/sign-in.entity.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';

/** Where a page is that asks for passkeys: they belong to the name of the host. */
export interface PasskeyPlace {
  origin: string;
  rpId: string;
}

/** Read at the first passkey: it costs a tenth of a second, and most starts need none. */
const webAuthn = () => import('@simplewebauthn/server');

/**
 * The place that a request's page is at: `PUBLIC_URL`, or `localhost` where the product is reached by that.
 * @throws DomainError `PasskeysImpossible` for any other page, and for a host that is an address and no name
 */
export function passkeyPlace(
  { origin = '', host = '' }: { origin?: string | undefined; host?: string | undefined },
  settings: Pick<ResolvedSettings, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): PasskeyPlace {
  const home = new URL(publicUrl(settings));
  const isHome = origin === home.origin;
  const isLocalhost =
    isLoopback(home.hostname) && origin === `http://${host}` && /^localhost(:\d+)?$/.test(host);
  const rpId = isHome ? home.hostname : 'localhost';
  if ((isHome || isLocalhost) && !isIP(rpId.replace(/^\[|\]$/g, ''))) return { origin, rpId };
  throw new DomainError('PasskeysImpossible', m.security_passkeys_impossible());
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}

/** What a browser needs to make a passkey. Those that the account has already are not made twice. */
export async function newPasskeyOptions(
  { rpId }: PasskeyPlace,
  account: { id: string; username: string; fullname: string },
  library: string,
  present: readonly PasskeyEntity[],
) {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpID: rpId,
    rpName: library,
    userID: new Uint8Array(Buffer.from(account.id.replaceAll('-', ''), 'hex')),
    userName: account.username,
    userDisplayName: account.fullname,
    attestationType: 'none',
    excludeCredentials: present.map(({ id, transports }) => ({ id, transports })),
    // It has to sign in alone, so it is found without a name, and asks for the finger or the PIN.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/**
 * What is to be stored of a new passkey.
 * @throws DomainError `ProofRefused`
 */
export async function checkedNewPasskey(
  { origin, rpId }: PasskeyPlace,
  challenge: string,
  answer: NewPasskeyBody['passkey'],
): Promise<Pick<PasskeyEntity, 'id' | 'publicKey' | 'counter' | 'transports'>> {
  const { verifyRegistrationResponse } = await webAuthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: answer as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
  }).catch(refuse);
  if (!verified) return refuse();
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  return { id, publicKey: Buffer.from(publicKey), counter: String(counter), transports };
}

/** What a browser needs to ask for a passkey; without any named, the person chooses one of this site. */
export async function passkeyProofOptions({ rpId }: PasskeyPlace, named: readonly PasskeyEntity[]) {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID: rpId,
    userVerification: 'required',
    allowCredentials: named.map(({ id, transports }) => ({ id, transports })),
  });
}

/**
 * Checks what a passkey signed: challenge, page, person and signature, and that its counter went up where it has one.
 * @returns the counter
 * @throws DomainError `ProofRefused`
 */
export async function checkedCounter(
  { origin, rpId }: PasskeyPlace,
  challenge: string,
  answer: PasskeyProof,
  { id, publicKey, counter }: PasskeyEntity,
): Promise<number> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id, publicKey: new Uint8Array(publicKey), counter: Number(counter) },
  }).catch(refuse);
  return verified ? authenticationInfo.newCounter : refuse();
}

export function refuse(): never {
  throw new DomainError('ProofRefused', m.security_passkey_refused());
}
