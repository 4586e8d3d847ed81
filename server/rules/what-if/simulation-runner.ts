import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { addDays, startOfDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { LogIdentity } from '#platform/event-log/log-identity.js';
import type { ExpectedLog } from '#platform/event-log/log-proof.js';
import { POLL_MS, NotifiedWorker } from '#platform/jobs/notified-worker.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import {
  claimSimulation,
  failSimulation,
  finishSimulation,
  deleteExpired,
  failAbandoned,
  HEARTBEAT_INTERVAL,
  touchSimulation,
  type RequestedSimulation,
} from './simulation-rows.js';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { SimulationResult } from '#circulation/simulation/simulation.js';
import { packageRoot } from '#platform/package-root.js';
import type { SimulationFailure, SimulationRequest, SimulationMessage } from './fold/simulation-messages.js';

/** Milliseconds without an event after which the log counts as silent. */
const SILENCE = 60_000;

/** Nobody wants the trial any more. */
class Cancelled extends Error {}

/** Works on the trial that was asked for, in a process of its own; in every process that does jobs. */
@Injectable()
export class SimulationRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly work: NotifiedWorker;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly timeZone: LibraryTimeZone,
    private readonly clock: Clock,
    private readonly identity: LogIdentity,
    notifications: Notifications,
  ) {
    this.work = new NotifiedWorker(
      notifications,
      'simulations',
      () => this.lookForOne(),
      (error) => logger.warn({ error }, 'it could not be looked whether rules are to be tried'),
    );
  }

  onApplicationBootstrap(): void {
    this.work.start();
  }

  /** Ends what is under way. */
  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.work.stop();
  }

  private async lookForOne(): Promise<number> {
    await deleteExpired(this.database, this.clock.now());
    await failAbandoned(this.database);
    const claimed = await claimSimulation(this.database);
    if (claimed) await this.run(claimed.id, claimed);
    return POLL_MS;
  }

  private async run(id: string, asked: RequestedSimulation): Promise<void> {
    const cancelling = new AbortController();
    let percent = 0;
    const life = setInterval(() => {
      touchSimulation(this.database, id, percent).then(
        (isWanted) => !isWanted && cancelling.abort(new Cancelled()),
        (error: unknown) =>
          this.logger.warn({ error, simulationId: id }, 'how far a trial is could not be told'),
      );
    }, HEARTBEAT_INTERVAL);
    const began = performance.now();
    try {
      const result = await simulateInProcess(
        {
          eventStoreUrl: this.settings.EVENTSTORE_URL,
          log: await this.expectedLog(),
          order: this.orderOf(asked),
        },
        SILENCE,
        AbortSignal.any([this.closing.signal, cancelling.signal]),
        (reached) => (percent = reached),
        (pid) => this.logger.info({ simulationId: id, pid }, 'rules are tried on the log'),
      );
      await finishSimulation(this.database, id, result);
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      this.logger.info(
        { simulationId: id, seconds, events: result.answer.events },
        'rules were tried on the log',
      );
    } catch (error) {
      if (cancelling.signal.aborted) return;
      if (this.closing.signal.aborted) return await failSimulation(this.database, id, 'closing');
      this.logger.error({ error, simulationId: id }, 'a trial of rules failed');
      const reason = error instanceof SimulationFailed ? error.reason : 'unexpected';
      await failSimulation(this.database, id, reason);
    } finally {
      clearInterval(life);
    }
  }

  /** @throws SimulationFailed as long as the log was never there: its first connection gives the lists their stamp */
  private async expectedLog(): Promise<ExpectedLog> {
    const expected = await this.identity.expected();
    if (!expected) throw new SimulationFailed('log-away', 'the event log was not there yet');
    return expected;
  }

  private orderOf({ rules, from, to }: RequestedSimulation) {
    const { name: timeZone } = this.timeZone;
    const instant = (day: string) => new Date(startOfDay(day, timeZone)).toISOString();
    return { rules, timeZone, from: instant(from), until: instant(addDays(to, 1)) };
  }
}

/** Heap limit of each of its two threads in megabytes: of a reader it keeps what is open, and a few numbers. */
const HEAP_MB = 1024;
/** Of young objects, as for the server itself: nearly all that is read and folded is gone at once. */
const SEMI_SPACE_MB = 64;

/** A trial ended without a result. */
class SimulationFailed extends Error {
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
