import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { percentile } from './measure.js';

/** Writes the figures of a run to the file of `--json FILE`, if the command line has one. */
export function writeRawFigures(figures: object): void {
  const at = process.argv.indexOf('--json');
  const file = at < 0 ? undefined : process.argv[at + 1];
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  const [processor] = cpus();
  const machine = { processors: cpus().length, model: processor?.model, node: process.version };
  const all = { measured: new Date().toISOString(), machine, ...figures };
  writeFileSync(file, `${JSON.stringify(all, shortened, 2)}\n`);
}

/** Of each operation's milliseconds, some percentiles are enough. */
function shortened(key: string, value: unknown): unknown {
  if (key !== 'latencies') return value;
  const latencies = value as number[];
  const at = (share: number) => Number(percentile(latencies, share).toFixed(3));
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) };
}
