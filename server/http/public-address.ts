import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

const NOT_PUBLIC_4 = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC_4.addSubnet(network, bits);
}

/** Everything public of IPv6 lies here; mapped, translated, local and multicast addresses do not. */
const GLOBAL_6 = new BlockList();
GLOBAL_6.addSubnet('2000::', 3, 'ipv6');
/** Of these, what is not for hosts of the internet: tunnels, which lead to any address of IPv4, and examples. */
const NOT_PUBLIC_6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC_6.addSubnet(network, bits, 'ipv6');
}

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC_4.check(address);
  return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !NOT_PUBLIC_6.check(address, 'ipv6');
}

/** That a name or an address leads into the library's own network. */
const notPublic = (): NodeJS.ErrnoException =>
  Object.assign(new Error('this name does not lead to a public address'), { code: 'ENOTPUBLIC' });

/**
 * Finds the addresses of a name for a connection, and fails where one of them is not public: what was looked at is what
 * is connected to, so that a name cannot lead elsewhere the second time.
 */
export const lookupPublicAddress: LookupFunction = (hostname, options: LookupOptions, found) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const hidden = addresses?.find(({ address }) => !isPublicAddress(address));
    const [first] = addresses ?? [];
    if (error ?? (!first || hidden)) {
      return found(error ?? notPublic(), '', 4);
    }
    if (options.all) found(null, addresses);
    else found(null, first?.address ?? '', first?.family ?? 4);
  });
};

/** Whether the host of a URL names an address that is not public; a name that has to be looked up does not. */
export function isPrivateHost({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/**
 * Asks an address of the public internet, or one that the operator named. Each time the connection is looked at anew.
 * @throws an error of the code `ENOTPUBLIC`, or of the connection
 */
export async function requestPublic(
  address: URL,
  isNamed: boolean,
  options: RequestOptions,
  body?: string,
): Promise<IncomingMessage> {
  if (!isNamed && isPrivateHost(address)) throw notPublic();
  const { request } = address.protocol === 'https:' ? https : http;
  const looked = isNamed ? options : { ...options, lookup: lookupPublicAddress };
  return new Promise((resolve, reject) => {
    request(address, looked, resolve).on('error', reject).end(body);
  });
}
