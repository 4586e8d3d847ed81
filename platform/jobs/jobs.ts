import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnrecoverableError, type Job, type Queue, type Worker } from 'bullmq';
import { z } from 'zod';
import type { Logger } from '../logging.js';
import { withTimeout } from '../with-timeout.js';
import {
  jobsOf,
  QUEUE_POLICIES,
  type JobData,
  type JobName,
  type QueueName,
  type QueuePolicy,
} from './job-map.js';
import type { QueueBackend } from './queue-backend.js';

/** A handler's context beside the job's data. */
export interface JobContext {
  jobId: string;
  /** The request that enqueued the job. */
  correlationId: string | undefined;
  /** The job ran before, and failed; it is tried again, by itself or by an admin. */
  isRetry: boolean;
  /** Milliseconds until the queue tries the job again if it fails now; absent if this was the last try. */
  nextTryInMs?: number;
  /** Reports progress in percent. */
  reportProgress(percent: number): Promise<void>;
}

/** Processes a job. Its return value is stored as the job's result; if it throws, the job is retried. */
export type JobHandler<Queue extends QueueName, Job extends JobName<Queue>> = (
  data: JobData<Queue, Job>,
  context: JobContext,
) => Promise<unknown>;

type AnyHandler = (data: never, context: JobContext) => Promise<unknown>;

/** Thrown by a handler if a retry cannot succeed: the job fails at once. */
export class PermanentJobError extends UnrecoverableError {}

/** A job to enqueue. */
export interface NewJob {
  /** A second job with the same id is ignored. */
  id: string;
  name: string;
  data: unknown;
  correlationId?: string | undefined;
}

/** Puts jobs into the queues as long as they are worked off. */
export interface JobSource {
  /** @param queues that this process works off */
  start(queues: readonly QueueName[]): void;
  stop(): Promise<void>;
}

/** A scheduled job. */
interface RepeatedJob {
  queue: QueueName;
  job: string;
  data: unknown;
  everyMs: number;
}

/** Without a timeout, an unreachable queue would block the caller and its transaction for ever. */
const ADD_TIMEOUT_MS = 5000;

/** Timeout of the queues when an app starts, in milliseconds. */
const START_PATIENCE_MS = 3000;

/** Milliseconds until a failed schedule is retried. */
const RESCHEDULE_MS = 5000;

/** Milliseconds between two checks that a schedule still exists. */
const LOOK_AFTER_SCHEDULE_MS = 60_000;

/**
 * How often a job is begun anew whose process died. Every handler may be repeated, and a job is not to blame for it; BullMQ
 * itself gives up after the second time.
 */
const MAX_STALLED = 20;

/** Below the ten seconds that containers are usually given to stop. */
const CLOSE_TIMEOUT_MS = 7000;

const envelopeSchema = z.object({ data: z.unknown(), correlationId: z.string().optional() });

/** Completed jobs are kept for as long as the same id might be enqueued again. */
const KEPT = {
  removeOnComplete: { age: 2 * 24 * 3600, count: 20_000 },
  removeOnFail: { age: 14 * 24 * 3600, count: 20_000 },
};

/** How a process works off the queues. */
export interface JobOptions {
  /** Overrides by queue. */
  policies?: Partial<Record<QueueName, QueuePolicy>>;
  /** False: jobs that come round every minute or hour are done only when somebody asks for them. */
  rounds?: boolean;
}

/** The product's queues: handlers and producers. */
export class Jobs {
  private readonly queues = new Map<QueueName, Queue>();
  private readonly handlers = new Map<QueueName, Map<string, AnyHandler>>();
  private workers: Worker[] = [];
  private readonly repeated: RepeatedJob[] = [];
  private readonly sources: JobSource[] = [];
  private scheduling: Promise<unknown> = Promise.resolve();
  private readonly closed = new AbortController();
  /** All that wait may listen to it. */
  private readonly reconnected = new EventEmitter().setMaxListeners(0);

  private get closing(): boolean {
    return this.closed.signal.aborted;
  }

  private readonly policies: Record<QueueName, QueuePolicy>;

  /** @param options of this process; tests change them */
  constructor(
    private readonly backend: QueueBackend,
    private readonly logger: Logger,
    private readonly options: JobOptions = {},
  ) {
    this.policies = { ...QUEUE_POLICIES, ...options.policies };
  }

  /**
   * Registers a job's handler. Call it before `start`.
   * @throws an Error if the job already has a handler
   */
  handle<Queue extends QueueName, Job extends JobName<Queue>>(
    queue: Queue,
    job: Job,
    handler: JobHandler<Queue, Job>,
  ): void {
    const handlers = this.handlers.get(queue) ?? new Map<string, AnyHandler>();
    if (handlers.has(job)) throw new Error(`The job ${queue}/${job} has two handlers.`);
    this.handlers.set(queue, handlers.set(job, handler));
  }

  /**
   * Registers a job's handler, and schedules the job: at the start of the app and then at an interval. All processes share
   * one schedule. Call it before `start`.
   * @param everyMs milliseconds
   * @throws an Error if the job already has a handler
   */
  repeat<Queue extends QueueName, Job extends JobName<Queue>>(
    queue: Queue,
    job: Job,
    everyMs: number,
    handler: JobHandler<Queue, Job>,
  ): void {
    this.handle(queue, job, handler);
    if (this.options.rounds !== false) this.repeated.push({ queue, job, data: {}, everyMs });
  }

  /** Adds a source, which starts after the workers and stops before them. Call it before `start`. */
  feedFrom(source: JobSource): void {
    this.sources.push(source);
  }

  /**
   * Starts one worker per queue. Unreachable queues start when they are back.
   * @throws an Error naming the jobs of these queues without a handler
   */
  async start(queues: QueueName[]): Promise<void> {
    const unhandled = queues.flatMap((queue) =>
      [...jobsOf(queue).keys()]
        .filter((job) => !this.handlers.get(queue)?.has(job))
        .map((job) => `${queue}/${job}`),
    );
    if (unhandled.length > 0) throw new Error(`Nobody handles these jobs: ${unhandled.join(', ')}.`);
    this.workers = queues.map((queue) => this.startWorker(queue));
    await this.untilReady();
    const wanted = this.repeated.filter(({ queue }) => queues.includes(queue));
    this.scheduling = Promise.all(wanted.map((each) => this.keepScheduled(each)));
    for (const source of this.sources) source.start(queues);
  }

  /**
   * Enqueues jobs. A job whose id the queue already has, completed or not, is ignored.
   * @throws when the queue is unreachable. The jobs may be enqueued nevertheless: retry with the same ids.
   */
  async add(queue: QueueName, jobs: NewJob[]): Promise<void> {
    const all = jobs.map(({ id, name, data, correlationId }) => ({
      name,
      data: { data, correlationId },
      opts: { jobId: id },
    }));
    const [first] = all;
    // In PostgreSQL, many at once are added by way of temporary tables, which for one job are dearer than all the rest.
    const added: Promise<unknown> =
      first && all.length === 1
        ? this.queue(queue).add(first.name, first.data, first.opts)
        : this.queue(queue).addBulk(all);
    await withTimeout(ADD_TIMEOUT_MS, added, `The queue ${queue} did not take the jobs in time.`);
  }

  /** How a queue is worked off. */
  policy(queue: QueueName): QueuePolicy {
    return this.policies[queue];
  }

  /**
   * Whether an admin holds a queue.
   * @throws when the queue is unreachable
   */
  async isPaused(queue: QueueName): Promise<boolean> {
    const asked = this.queue(queue).isPaused();
    return withTimeout(ADD_TIMEOUT_MS, asked, `The queue ${queue} did not answer in time.`);
  }

  /**
   * The queue itself, for monitoring.
   * @throws an Error when the queues are closed
   */
  queue(name: QueueName): Queue {
    const open = this.queues.get(name);
    if (open) return open;
    // Nothing would close it any more.
    if (this.closing) throw new Error('The job queues are closed.');
    const { attempts, firstRetryMs } = this.policies[name];
    const queue = this.backend.queue(name, {
      defaultJobOptions: { ...KEPT, attempts, backoff: { type: 'exponential', delay: firstRetryMs } },
    });
    queue.on('error', (error) => this.warn(name, error, 'a queue is out of reach'));
    queue.getBackend().on('ready', () => this.reconnected.emit('ready'));
    this.queues.set(name, queue);
    queue.waitUntilReady().catch((error: Error) => this.giveUp(name, queue, error));
    return queue;
  }

  /** A queue that loses its connection while it gets ready never becomes ready: the next caller gets a new one. */
  private giveUp(name: QueueName, queue: Queue, error: Error): void {
    if (this.queues.get(name) !== queue) return;
    this.queues.delete(name);
    this.warn(name, error, 'a queue could not be opened');
    queue.close().catch((cause: Error) => this.warn(name, cause, 'a queue could not be closed'));
  }

  /** How many jobs of each queue are waiting, active, delayed for a retry, and failed. */
  async depths(): Promise<Map<QueueName, Record<string, number>>> {
    const names = Object.keys(this.policies) as QueueName[];
    const counts = names.map(async (name) => {
      const asked = this.queue(name).getJobCounts('waiting', 'active', 'delayed', 'failed');
      return [
        name,
        await withTimeout(ADD_TIMEOUT_MS, asked, `The queue ${name} did not answer in time.`),
      ] as const;
    });
    return new Map(await Promise.all(counts));
  }

  /**
   * Waits for active jobs, then closes the queues. A job that takes too long is abandoned, and retried by the queue's
   * next worker.
   */
  async close(): Promise<void> {
    await Promise.all(this.sources.map((source) => source.stop()));
    this.closed.abort();
    // While the queues are unreachable, closing a worker would wait for them, and no job can be completed.
    const force = !(await this.backend.inReach());
    const workers = this.workers;
    this.workers = [];
    const closing = Promise.all([this.scheduling, ...workers.map((worker) => worker.close(force))])
      .then(() => {
        const queues = [...this.queues.values()];
        this.queues.clear();
        return Promise.all(queues.map((queue) => queue.close()));
      })
      .then(() => this.backend.close());
    try {
      await withTimeout(CLOSE_TIMEOUT_MS, closing, 'The queues did not close in time.');
    } catch (error) {
      this.logger.warn({ error }, 'the job queues were left without ceremony');
      this.backend
        .close()
        .catch((cause: unknown) =>
          this.logger.warn({ error: cause }, 'connections of the job queues could not be closed'),
        );
    }
  }

  /** An unavailable Redis does not stop an app from starting: the rest works, and the workers wait for it. */
  private async untilReady(): Promise<void> {
    let isReady = false;
    const ready = Promise.all(this.workers.map((worker) => worker.waitUntilReady())).then(() => {
      isReady = true;
    });
    await Promise.race([ready, sleep(START_PATIENCE_MS, undefined, { ref: false })]);
    if (isReady) return;
    this.logger.warn('the job queues are out of reach at the start; jobs are done when they are back');
    ready.catch((error: unknown) => {
      if (!this.closing) this.logger.error({ error }, 'the job queues could not be opened');
    });
  }

  /**
   * Keeps a job scheduled as long as the app runs: a queue may be unreachable when the app starts, and a Redis without
   * persistence comes back without its schedules.
   */
  private async keepScheduled(repeated: RepeatedJob): Promise<void> {
    const { queue, job } = repeated;
    let known = false;
    while (!this.closing) {
      let pause = LOOK_AFTER_SCHEDULE_MS;
      try {
        // Always the first time: the previous release may have used another interval.
        if (!known || !(await this.isScheduled(repeated))) await this.schedule(repeated);
        known = true;
      } catch (error) {
        this.warn(queue, error as Error, `the schedule of ${job} is out of reach`);
        pause = RESCHEDULE_MS;
      }
      await this.untilReconnected(pause);
    }
  }

  private async isScheduled({ queue, job }: RepeatedJob): Promise<boolean> {
    const asked = this.queue(queue).getJobScheduler(job);
    return (
      (await withTimeout(ADD_TIMEOUT_MS, asked, `The queue ${queue} did not answer in time.`)) !== undefined
    );
  }

  private async schedule({ queue, job, data, everyMs }: RepeatedJob): Promise<void> {
    const scheduled = this.queue(queue).upsertJobScheduler(
      job,
      // A new schedule would begin with a run of its own, beside the one below. One that exists goes on as it is.
      { every: everyMs, startDate: Date.now() + everyMs },
      { name: job, data: { data } },
    );
    await withTimeout(ADD_TIMEOUT_MS, scheduled, `The queue ${queue} did not take the schedule in time.`);
    // The run at the start; processes that start in the same minute share it.
    const id = `${job}-every-${everyMs}-${Math.floor(Date.now() / 60_000)}`;
    await this.add(queue, [{ id, name: job, data }]);
  }

  /** Waits until a queue is reachable again, the time is over, or the app closes. */
  private async untilReconnected(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.closed.signal, over.signal]);
    await Promise.race([
      sleep(milliseconds, undefined, { signal, ref: false }),
      once(this.reconnected, 'ready', { signal }),
    ]).catch(() => undefined);
    over.abort();
  }

  private startWorker(queue: QueueName): Worker {
    const worker = this.backend.worker(queue, (job) => this.run(queue, job), {
      concurrency: this.policies[queue].concurrency,
      maxStalledCount: MAX_STALLED,
    });
    worker.on('error', (error) => this.warn(queue, error, 'a worker met with an error'));
    worker.on('failed', (job, error) => {
      if (!job) return;
      const triedAgain = job.finishedOn === undefined;
      this.logger[triedAgain ? 'warn' : 'error'](
        { queue, job: job.name, jobId: job.id, attempt: job.attemptsMade, error },
        triedAgain ? 'a job did not succeed and is tried again' : 'a job failed for good',
      );
    });
    return worker;
  }

  private warn(queue: QueueName, error: Error, message: string): void {
    // Connections outlive their pools for a moment: if PostgreSQL stops in between, that is no error.
    if (!this.closing) this.logger.warn({ queue, error }, message);
  }

  private async run(queue: QueueName, job: Job): Promise<unknown> {
    const handler = this.handlers.get(queue)?.get(job.name);
    const schema = jobsOf(queue).get(job.name);
    if (!handler || !schema) throw new UnrecoverableError(`There is no job ${queue}/${job.name}.`);
    const envelope = envelopeSchema.safeParse(job.data);
    const data = schema.safeParse(envelope.data?.data);
    if (!data.success) throw new UnrecoverableError(`The data of ${queue}/${job.name} do not hold.`);
    const { attempts, firstRetryMs } = this.policies[queue];
    const tries = job.attemptsMade + 1;
    return handler(data.data as never, {
      jobId: job.id ?? '',
      correlationId: envelope.data?.correlationId,
      isRetry: tries > 1,
      ...(tries < attempts && { nextTryInMs: firstRetryMs * 2 ** (tries - 1) }),
      reportProgress: (percent) => job.updateProgress(percent),
    });
  }
}
