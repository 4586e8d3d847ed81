import * as m from '#words/messages.js';
import type { PasskeyRequest } from '#contracts/accounts/second-factor.js';
import { waitForPerson } from '../../lib/waiting-for-person.js';

/** A browser asked for a passkey gave none: the person broke it off, or has none here. */
export class NoPasskey extends Error {}

const library = () => import('@simplewebauthn/browser');

type CreationOptions = Parameters<Awaited<ReturnType<typeof library>>['startRegistration']>[0]['optionsJSON'];

/** Whether this browser can have passkeys for this address: they need https or localhost, and a name. */
export function passkeysPossible(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(window.location.hostname);
  return window.isSecureContext && !isAddress && typeof PublicKeyCredential === 'function';
}

/** The same page where passkeys are possible, if it is shown at an address of this machine. */
export function passkeyAddress(): string | null {
  const { protocol, hostname, port, hash } = window.location;
  if (!/^127\.|^\[::1\]$/.test(hostname)) return null;
  return `${protocol}//localhost${port && `:${port}`}/${hash}`;
}

/** @throws NoPasskey */
export async function makePasskey({ options }: PasskeyRequest) {
  const { startRegistration } = await library();
  const making = startRegistration({ optionsJSON: options as unknown as CreationOptions });
  const made = await waitForPerson(making).catch((error: unknown) => {
    const known = error instanceof Error && error.name === 'InvalidStateError';
    throw new NoPasskey(known ? m.security_passkey_on_device() : m.security_passkey_not_made());
  });
  return { ...made, ...extensionsOf(made) };
}

/** @throws NoPasskey */
export async function askForPasskey({ options }: PasskeyRequest) {
  const { startAuthentication } = await library();
  const given = await waitForPerson(startAuthentication({ optionsJSON: options })).catch(() => {
    throw new NoPasskey(m.security_passkey_not_used());
  });
  return { ...given, ...extensionsOf(given) };
}

/** The browser's type has no place for extensions that it does not know, as the contract has. */
function extensionsOf({ clientExtensionResults }: { clientExtensionResults: object }) {
  return { clientExtensionResults: { ...clientExtensionResults } };
}
