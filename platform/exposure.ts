import { BlockList, isIP } from 'node:net';
import * as m from '#words/messages.js';
import type { Settings } from './settings.js';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether an IP address, also an IPv4 one in the form that IPv6 sockets report, leads to this machine alone. */
export function isLoopbackAddress(address = ''): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  return version !== 0 && LOOPBACK.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** Whether a host, as it stands in an address, is this machine's own on every machine. */
export function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

/** An IPv4 address that an IPv6 socket reports, as IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Why strangers may reach this installation; nothing where it serves this machine alone. */
export function publicExposure(settings: Pick<Settings, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL'>) {
  const exposing = exposingSetting(settings);
  return exposing && `${exposing.setting} is ${exposing.value}`;
}

/** The setting by which they may, and what it is. */
export function exposingSetting({
  NODE_ENV,
  HOST,
  PUBLIC_URL,
}: Pick<Settings, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL'>): { setting: string; value: string } | undefined {
  if (NODE_ENV === 'production') return { setting: 'NODE_ENV', value: NODE_ENV };
  if (!isLoopbackName(HOST)) return { setting: 'HOST', value: HOST };
  if (PUBLIC_URL !== undefined && !isLoopbackName(new URL(PUBLIC_URL).hostname)) {
    return { setting: 'PUBLIC_URL', value: PUBLIC_URL };
  }
  return undefined;
}

/**
 * Whether all callers come from one address: people come by https, which a proxy ends, and its word on them does not count.
 * Then an address tells nothing of a caller.
 */
export function sharesOneAddress({
  PUBLIC_URL,
  TRUST_PROXY,
}: Pick<Settings, 'PUBLIC_URL' | 'TRUST_PROXY'>): boolean {
  return PUBLIC_URL?.startsWith('https:') === true && TRUST_PROXY === 0;
}

/** For the log; whoever starts the product is told it in their language. */
export const SHARED_ADDRESS_WARNING =
  'PUBLIC_URL has https and TRUST_PROXY is not set: everybody comes from the address of the proxy, and all share the limits ' +
  'of one address. 40 wrong passwords by anybody keep all out for a quarter of an hour but those whose browser is known. ' +
  'Set TRUST_PROXY to the number of proxies.';

/** What helps to try the product, and must not meet strangers. Each is a setting of its own. */
export type DemoAid = 'DEMO' | 'MAILBOX' | 'SANDBOX_PAYMENTS' | 'API_DOCS';

type Exposure = Pick<Settings, 'NODE_ENV' | 'HOST' | 'PUBLIC_URL' | DemoAid>;

/** Whether it is on: asked for by name, or not turned off where no stranger comes. */
export function isDemoAidOn(aid: DemoAid, settings: Exposure): boolean {
  return (settings[aid] ?? (publicExposure(settings) === undefined ? 'on' : 'off')) === 'on';
}

/** What each is, with the setting that turns it on, for whoever starts the product. */
const IN_WORDS = {
  DEMO: m.start_aid_demo,
  MAILBOX: m.start_aid_mailbox,
  SANDBOX_PAYMENTS: m.start_aid_sandbox_payments,
  API_DOCS: m.start_aid_api_docs,
} satisfies Record<DemoAid, () => string>;

/** What is off only because strangers may come, with the setting that turns it on: `the mailbox (MAILBOX=on)`. */
export function disabledForPublic(settings: Settings, { isEmbedded }: { isEmbedded: boolean }): string[] {
  if (publicExposure(settings) === undefined) return [];
  const aids: [DemoAid, boolean][] = [
    ['DEMO', isEmbedded],
    ['MAILBOX', isEmbedded && settings.SMTP_URL === undefined],
    ['SANDBOX_PAYMENTS', settings.STRIPE_SECRET_KEY === undefined],
    ['API_DOCS', true],
  ];
  return aids
    .filter(([aid, isOffered]) => isOffered && settings[aid] === undefined)
    .map(([aid]) => IN_WORDS[aid]());
}
