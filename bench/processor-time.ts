import { readFileSync } from 'node:fs';

/** What `getconf CLK_TCK` says on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

/** Seconds that a process, with its threads, has been at work; only Linux tells. */
export function processorSeconds(pid: number | undefined): number {
  if (process.platform !== 'linux' || pid === undefined) return NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, which is in brackets, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}
