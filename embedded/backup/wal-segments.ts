/**
 * The names of the WAL segments that contain everything between two positions.
 * @param start the first byte, as PostgreSQL writes it: `1A/2B3C4D5E`
 * @param end the byte after the last one
 * @param segmentBytes the cluster's `wal_segment_size`
 */
export function segmentsBetween(
  timeline: number,
  start: string,
  end: string,
  segmentBytes: number,
): string[] {
  const size = BigInt(segmentBytes);
  const last = (placeOf(end) - 1n) / size;
  const names: string[] = [];
  for (let segment = placeOf(start) / size; segment <= last; segment += 1n) {
    // A name consists of the timeline and the segment's number in two parts: full 4 GiB, and the rest.
    const perFile = 0x1_0000_0000n / size;
    names.push([BigInt(timeline), segment / perFile, segment % perFile].map(eightDigits).join(''));
  }
  return names;
}

function placeOf(lsn: string): bigint {
  const match = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(lsn);
  if (!match) throw new Error(`${lsn} is no place in PostgreSQL's log.`);
  return (BigInt(`0x${match[1]}`) << 32n) + BigInt(`0x${match[2]}`);
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0');
}
