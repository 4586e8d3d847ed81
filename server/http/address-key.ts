import { isIPv6 } from 'node:net';

/** What counts as one address: one of IPv4, or the network of 64 bits that a household of IPv6 has. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const groups = before.split(':').filter((group) => group !== '');
  const missing =
    after === undefined ? 0 : 8 - groups.length - after.split(':').filter((group) => group !== '').length;
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(after ?? '').split(':')];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
