/** What a closed loop did. */
export interface Measured {
  /** Operations that were completed. */
  count: number;
  seconds: number;
  /** Of each operation, in milliseconds. */
  latencies: number[];
}

/**
 * Runs clients that each start their next operation when the last one is done, and measures every one.
 * @param clients how many
 * @param seconds how long; operations under way at the end are waited for and counted
 * @param operation given the number of its client, from 0
 */
export async function closedLoop(
  clients: number,
  seconds: number,
  operation: (client: number) => Promise<unknown>,
): Promise<Measured> {
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let start = performance.now(); start < until;) {
        await operation(client);
        const end = performance.now();
        latencies.push(end - start);
        start = end;
      }
    }),
  );
  return { count: latencies.length, seconds: (performance.now() - began) / 1000, latencies };
}

/** Joins measurements of the same thing that were made one after the other. */
export function inTurn(parts: readonly Measured[]): Measured {
  return { ...besideEachOther(parts), seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) };
}

/** Joins measurements that were made at the same time. */
export function besideEachOther(parts: readonly Measured[]): Measured {
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
    latencies: parts.flatMap(({ latencies }) => latencies),
  };
}

/** Operations a second. */
export function rate({ count, seconds }: Measured): number {
  return count / seconds;
}

/**
 * The value that a share of all values does not exceed.
 * @param share from 0 to 1, for instance 0.95
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The middle one of an odd number of values; the lower one of the two middle ones otherwise. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** p50, p95 and p99 as text, in milliseconds. */
export function latencyColumns({ latencies }: Pick<Measured, 'latencies'>): {
  p50: string;
  p95: string;
  p99: string;
} {
  const column = (share: number) => `${percentile(latencies, share).toFixed(2)} ms`;
  return { p50: column(0.5), p95: column(0.95), p99: column(0.99) };
}

/** Prints rows with the keys of the first one as head. Text is aligned to the left, numbers to the right. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const keys = Object.keys(rows[0] ?? {});
  const widths = keys.map((key) => Math.max(key.length, ...rows.map((row) => String(row[key]).length)));
  const line = (cells: (string | number)[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const lines = [line(keys), line(widths.map((width) => '-'.repeat(width)))];
  for (const row of rows) lines.push(line(keys.map((key) => row[key] ?? '')));
  process.stdout.write(`${lines.join('\n')}\n`);
}
