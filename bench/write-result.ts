import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

/** Keeps the figures of a run beside what they were measured on. */
export function writeResult(file: string, figures: object): void {
  mkdirSync(dirname(file), { recursive: true });
  const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version };
  const result = { measuredAt: new Date().toISOString(), machine, ...figures };
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}
