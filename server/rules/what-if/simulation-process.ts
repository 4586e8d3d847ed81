import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { SimulationResult } from '#circulation/simulation/simulation.js';
import { packageRoot } from '#platform/package-root.js';
import type { SimulationFailure, SimulationRequest, SimulationMessage } from './fold/simulation-messages.js';

/** Heap limit of each of its two threads in megabytes: of a reader it keeps what is open, and a few numbers. */
const HEAP_MB = 1024;
/** Of young objects, as for the server itself: nearly all that is read and folded is gone at once. */
const SEMI_SPACE_MB = 64;

/** A trial ended without a result. */
export class SimulationFailed extends Error {
  /** @param message for the log; whoever asked gets a sentence for the reason */
  constructor(
    readonly reason: SimulationFailure | 'killed' | 'silent',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The compiled file, even when run from sources: Node runs no TypeScript. */
const worker = () => join(packageRoot(), 'dist/server/rules/what-if/fold/simulation-worker.js');

/**
 * Folds the log in a process of its own, and ends that when it is cancelled or nothing comes from it any more.
 * @param silenceMs milliseconds without a sign of events after which it is given up
 * @param started called with the id of the process
 * @throws SimulationFailed; the signal's reason when that ended it
 */
export async function simulateInProcess(
  job: SimulationRequest,
  silenceMs: number,
  signal: AbortSignal,
  progress: (percent: number) => void,
  started: (pid: number) => void = () => undefined,
): Promise<SimulationResult> {
  signal.throwIfAborted();
  const child = fork(worker(), {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, `--max-semi-space-size=${SEMI_SPACE_MB}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.pid !== undefined) started(child.pid);
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => (errors = (errors + String(text)).slice(-2000)));
  let outcome: Exclude<SimulationMessage, { kind: 'progress' }> | undefined;
  let isSilent = false;
  const kill = () => void child.kill('SIGKILL');
  const silence = setTimeout(() => {
    isSilent = true;
    kill();
  }, silenceMs);
  child.on('message', (report: SimulationMessage) => {
    silence.refresh();
    if (report.kind === 'progress') progress(report.percent);
    else outcome = report;
  });
  signal.addEventListener('abort', kill, { once: true });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, by) => resolve(by ?? `code ${code}`));
  });
  child.send(job, () => undefined);
  const how = await ended;
  clearTimeout(silence);
  signal.removeEventListener('abort', kill);
  signal.throwIfAborted();
  if (outcome?.kind === 'done') return outcome.result;
  if (outcome) {
    const cause = Object.assign(new Error(outcome.message), { stack: outcome.stack });
    throw new SimulationFailed(outcome.failure, outcome.message, { cause });
  }
  if (isSilent)
    throw new SimulationFailed('silent', `no event came for ${Math.round(silenceMs / 1000)} seconds`);
  throw new SimulationFailed('killed', `the process of the trial ended with ${how}. ${errors}`.trim());
}
