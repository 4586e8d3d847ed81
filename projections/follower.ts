import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { CategoryName } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import {
  placeOfStored,
  type EventLog,
  type LogPosition,
  type StoredEvent,
} from '#platform/event-log/event-log.js';
import { UnreadableEvent, type EventPlace } from '#platform/event-log/upcast.js';
import type { Logger } from '#platform/logging.js';
import { failingFollowers, type FollowerName } from '#platform/operations/follower-states.js';
import { batches } from './batches.js';
import { moveCheckpoint, readCheckpoint, type CheckpointStep, type EventAt } from './checkpoint.js';
import { Decisions } from './decisions.js';
import { CheckpointMoved, ConnectionLost, failureKind, failureName } from './failure.js';
import { FollowerHealth, type FollowerState, PublishedFailure } from './follower-health.js';
import { runAsLeader } from './run-as-leader.js';

/** In milliseconds. */
export interface FollowerTiming {
  /** Between two attempts to lead, or to reconnect; the backoff doubles after each failure. */
  retry: number;
  maxPause: number;
  /** A connection that holds this long without events counts as progress. */
  held: number;
  /** Not ready after this long without progress. */
  redAfter: number;
  /** Between two checks of a stopped follower whether it may go on. */
  recheck: number;
  /** The time by which it counts as not ready, since 1970. */
  now: () => number;
}
const TIMING: FollowerTiming = {
  retry: 500,
  maxPause: 5_000,
  held: 1_000,
  redAfter: 30_000,
  recheck: 3_000,
  now: Date.now,
};

/** A follower's properties, beside what it does with a batch. */
export interface FollowerIdentity {
  name: FollowerName;
  /** The schema of its checkpoint: a name of ours, never from outside. */
  schema: string;
  /** The categories of streams that it follows. */
  categories: readonly CategoryName[];
  /** The advisory lock that elects the leader. */
  lock: number;
  /** Of the connection that it writes with. */
  options?: string;
  /** Batch size: events per transaction, at most. */
  maxEvents: number;
  /**
   * Milliseconds for which the log may keep what is new, and half of which lies between the beginnings of two transactions, at
   * least, where it cannot: what comes meanwhile goes into one.
   */
  gather?: number;
}

/** A follower's dependencies. */
export interface FollowerServices {
  databaseUrl: string;
  database: Database;
  log: EventLog;
  logger: Logger;
}

/** The event at which a follower stopped, and why. */
class StoppedAtEvent extends Error {
  override readonly name = 'StoppedAtEvent';

  constructor(
    readonly event: EventPlace,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}

/**
 * Follows the event log, and applies each event once: its writes and its checkpoint are one transaction. Any number of
 * processes may run one; an advisory lock elects the leader.
 *
 * Transient failures are retried. Any other stops it: no event is skipped unless a decision in its own stream sets it
 * aside.
 */
export abstract class Follower {
  private readonly health: FollowerHealth;
  private readonly trouble: PublishedFailure;
  private position: LogPosition | undefined;
  /** The log that the events at hand are of. */
  private logId: string | undefined;
  private readonly ending = new AbortController();
  private readonly timing: FollowerTiming;
  private readonly decisions: Decisions;
  private running: Promise<void> | undefined;
  /** Why it stopped, until it goes on. */
  private stoppedFor: string | undefined;

  constructor(
    private readonly identity: FollowerIdentity,
    protected readonly services: FollowerServices,
    timing: Partial<FollowerTiming> = {},
  ) {
    this.timing = { ...TIMING, ...timing };
    this.health = new FollowerHealth(this.timing.redAfter, this.timing.now);
    this.trouble = new PublishedFailure(identity.name, services.database, services.logger);
    this.decisions = new Decisions(services.log);
  }

  get state(): FollowerState {
    return this.health.state;
  }

  get losses(): number {
    return this.health.losses;
  }

  get resubscriptions(): number {
    return this.health.resubscriptions;
  }

  get isReady(): boolean {
    return this.health.isReady;
  }

  /** Starts, and returns when the start position is known, or cannot be known yet. */
  async start(): Promise<void> {
    await this.begin().catch((error: unknown) => {
      this.services.logger.warn({ error }, `${this.identity.name} cannot begin yet`);
    });
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  /** Sets the start position, if there is none. */
  protected async begin(): Promise<void> {}

  /** Creates the tables that it writes to, if they are missing. Called by the leader only. */
  protected async prepare(_connection: pg.Client): Promise<void> {}

  /**
   * Part of the transaction that moves the checkpoint. Statements sent at once may run before the checkpoint is known to
   * be where this process expects it; the returned function runs afterwards.
   * @param last the place reached with these events, of which there may be none
   */
  protected abstract apply(
    connection: pg.Client,
    events: readonly StoredEvent[],
    last: LogPosition,
  ): Promise<void | (() => Promise<unknown>)>;

  /**
   * Does the whole of `apply`, and moves the checkpoint, in one statement, where that is possible.
   * @returns whether it was done; if not, nothing was changed
   */
  protected async applyAtOnce(
    _connection: pg.Client,
    _events: readonly StoredEvent[],
    _step: CheckpointStep,
  ): Promise<boolean> {
    return false;
  }

  private async run(): Promise<void> {
    let failures = 0;
    while (!this.ending.signal.aborted) {
      const began = performance.now();
      try {
        const { lock, options } = this.identity;
        const election = { databaseUrl: this.services.databaseUrl, lock, options };
        if (!(await runAsLeader(election, (...led) => this.follow(...led), this.ending.signal))) {
          this.health.standBy();
        }
        failures = 0;
      } catch (error) {
        if (this.ending.signal.aborted) break;
        if (failureKind(error) === 'passing') {
          failures = performance.now() - began > this.timing.held ? 1 : failures + 1;
          await this.retry(error);
        } else {
          failures = 0;
          await this.waitStopped(error);
        }
      }
      await this.pause(Math.min(this.timing.retry * 2 ** Math.max(failures - 1, 0), this.timing.maxPause));
    }
    this.health.state = { kind: 'ended' };
  }

  private async follow(connection: pg.Client, signal: AbortSignal): Promise<void> {
    await this.begin();
    await this.prepare(connection);
    this.position = (await readCheckpoint(connection, this.identity.schema)).position;
    await this.recallDecision();
    while (!signal.aborted) {
      try {
        for await (const events of batches(this.subscribe(signal), this.identity.maxEvents)) {
          if (signal.aborted) return;
          const began = performance.now();
          await this.applyBatch(connection, events);
          // A store of ours keeps what is new for the whole time: a pause as long would miss its beat.
          await this.pause((this.identity.gather ?? 0) / 2 - (performance.now() - began));
        }
        if (!signal.aborted) throw new ConnectionLost('the subscription ended');
      } catch (error) {
        if (error instanceof UnreadableEvent && error.place && (await this.decisions.find(error.place))) {
          await this.leaveOut(connection, error.place);
        } else throw error;
      }
    }
  }

  /** The events after the checkpoint, of its own log. An open connection is progress, unless it delivered an event that is not applied. */
  private async *subscribe(signal: AbortSignal): AsyncGenerator<readonly StoredEvent[]> {
    // Before the subscription: the log that it gives events of is this one, or a later one that is refused.
    this.logId = await this.services.log.confirmIdentity();
    let timer: NodeJS.Timeout | undefined;
    const onOpen = () => {
      clearTimeout(timer);
      this.health.state = { kind: 'leading', position: this.position?.commit ?? -1n };
      timer = setTimeout(() => this.progressed(), this.timing.held);
    };
    try {
      for await (const events of this.services.log.follow(
        this.identity.categories,
        this.position,
        signal,
        onOpen,
        () => this.endedAsSlow(),
        this.identity.gather,
      )) {
        clearTimeout(timer);
        yield events;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Part of the normal course under load: it goes on at once from where it was. */
  private endedAsSlow(): void {
    this.health.resubscriptions += 1;
    this.services.logger.debug(
      `${this.identity.name} did not keep up with the event store, and subscribes anew`,
    );
  }

  private async applyBatch(connection: pg.Client, events: readonly StoredEvent[]): Promise<void> {
    const last = events.at(-1);
    if (!last) return;
    try {
      await this.commit(connection, events, last, events.length);
    } catch (error) {
      if (failureKind(error) !== 'final') throw error;
      // Apply them one by one, to find the failing one: those before it take effect.
      if (events[0] !== last) for (const event of events) await this.applyBatch(connection, [event]);
      else await this.leaveOutOrStop(connection, placeOfStored(last), error);
    }
    this.progressed();
  }

  private async leaveOutOrStop(connection: pg.Client, place: EventPlace, error: unknown): Promise<void> {
    if (!(await this.decisions.find(place))) throw new StoppedAtEvent(place, error);
    await this.leaveOut(connection, place);
  }

  private async leaveOut(connection: pg.Client, place: EventPlace): Promise<void> {
    await this.commit(connection, [], place, 1);
    this.progressed();
    const { logger } = this.services;
    logger.warn({ event: described(place) }, `${this.identity.name}: an event that is skipped is left out`);
  }

  /** An event that stopped this follower and was skipped is left out even by a release that could apply it. */
  private async recallDecision(): Promise<void> {
    const troubles = await failingFollowers(this.services.database);
    const event = troubles.find(({ name }) => name === this.identity.name)?.event;
    if (event) await this.decisions.find(event);
  }

  /** One transaction, starting at the checkpoint. */
  private async commit(
    connection: pg.Client,
    events: readonly StoredEvent[],
    to: EventAt,
    count: number,
  ): Promise<void> {
    const effective = events.filter(({ id }) => !this.decisions.has(id));
    const step = { from: this.position, to, events: count, logId: this.logId };
    if (!(await this.applyAtOnce(connection, effective, step))) {
      await this.commitInSteps(connection, effective, step);
    }
    this.position = to.position;
    this.health.state = { kind: 'leading', position: to.position.commit };
  }

  private async commitInSteps(
    connection: pg.Client,
    events: readonly StoredEvent[],
    step: CheckpointStep,
  ): Promise<void> {
    try {
      const [, moved, rest] = await Promise.all([
        // Of many events: what is kept as planned for a few would compare all with all.
        connection.query('begin; set local plan_cache_mode to auto'),
        moveCheckpoint(connection, this.identity.schema, step),
        this.apply(connection, events, step.to.position),
      ]);
      if (!moved) {
        // Or another log was taken up meanwhile.
        this.services.log.doubtIdentity();
        throw new CheckpointMoved('somebody else moved the checkpoint');
      }
      await rest?.();
      // Sent when all else is done: a statement that failed before sending aborts nothing in the database.
      await connection.query('commit');
    } catch (error) {
      await connection.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  private progressed(): void {
    this.stoppedFor = undefined;
    this.health.progressed();
    this.trouble.withdraw();
  }

  private async retry(error: unknown): Promise<void> {
    const { name } = this.identity;
    const failure = failureName(error);
    const since = this.health.failed(failure);
    this.services.logger.warn({ error, failure }, `${name} tries again after ${failure}`);
    if (!this.isReady) await this.trouble.publish('retrying', since, failure);
  }

  /** Reports why it stopped, and returns when the obstacle is gone. */
  private async waitStopped(error: unknown): Promise<void> {
    const { name, schema } = this.identity;
    const { database, logger } = this.services;
    const isAtEvent = error instanceof StoppedAtEvent;
    const cause = isAtEvent ? error.cause : error;
    const event = isAtEvent ? error.event : error instanceof UnreadableEvent ? error.place : undefined;
    const reason = reasonOf(cause);
    this.health.state = { kind: 'stopped', reason, event };
    // What is denied is tried again and again, and said once.
    if (reason !== this.stoppedFor) {
      logger.fatal(
        { error: cause, failure: failureName(cause), ...(event && { event: described(event) }) },
        `${name} stopped${event ? ' at an event that it cannot apply, and none is skipped' : ''}`,
      );
    }
    this.stoppedFor = reason;
    const since = new Date();
    const at = this.position?.commit ?? -1n;
    let isPublished = false;
    while (!this.ending.signal.aborted) {
      isPublished ||= await this.trouble.publish('stopped', since, reason, event);
      await this.pause(this.timing.recheck);
      if (failureKind(cause) === 'denied') return;
      try {
        const { position } = await readCheckpoint(database, schema);
        // Another process might, for instance one of a release that knows the event.
        if ((position?.commit ?? -1n) > at) return;
        if (event && (await this.decisions.find(event))) return;
      } catch (failed) {
        logger.warn({ error: failed }, `${name} is stopped, and could not look whether it may go on`);
      }
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    await sleep(milliseconds, undefined, { signal: this.ending.signal }).catch(() => undefined);
  }
}

/** For operators. An error with a code is named by the code only: its message may contain anything. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error) || 'code' in cause) return failureName(cause);
  return cause instanceof UnreadableEvent ? cause.message : `${failureName(cause)}: ${cause.message}`;
}

function described({ stream, revision, position, type }: EventPlace) {
  return { stream, revision: revision.toString(), position: position.commit.toString(), type };
}
