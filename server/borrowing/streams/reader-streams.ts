import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { v5 as uuidFromName } from 'uuid';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { skipsUpTo } from '#contracts/event-log/skipped-events.js';
import type { ReaderEvent } from '#contracts/holds/hold-events.js';
import { noteStored } from '#platform/deadline.js';
import {
  EventLog,
  RevisionConflict,
  type LoggedEvent,
  type NewEvent,
} from '#platform/event-log/event-log.js';
import type { ReaderBorrows } from '#circulation/borrow/borrow-state.js';
import { withFollowingHoldEvents } from '#circulation/borrow/hold-state.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import type { CommandIdentity, RefusedCommands } from '../../idempotency/refused-commands.js';
import { EvictedError } from '#circulation/persistent-map.js';
import {
  extended,
  extendedBy,
  isComplete,
  compacted,
  EMPTY_STREAM,
  outcomeOf,
  previousOutcome,
  type CommandOutcome,
  weightOf,
  type FoldedStream,
  readable,
} from './folded-stream.js';
import { ResumedRead } from './resumed-read.js';

/** Who sent a command, and how a repeat of it is recognised. */
export interface CommandContext extends CommandIdentity {
  /** An account id, or the name of a job. */
  actor: string;
  correlationId: string;
  /** Whether its sender has named it by a key, and may repeat it: then a refusal is remembered too. */
  isNamed?: boolean;
}

/** What else belongs to a decision. */
interface AroundDecision {
  /** Called once before a refusal; may append to the same stream, and the command is decided on anew. */
  beforeRefusal?: (refusal: DomainError) => Promise<void>;
  /** Remembers a refusal, where the command was named by a key. */
  refused?: RefusedCommands;
  /** The revision of the state on which the command was admitted already. */
  admittedAt?: bigint;
}

/** Attempts at a decision when others append to the same stream. */
const MAX_TRIES = 5;
/** Cache limit, in borrows and commands of all readers together: about half a kilobyte each. */
const MAX_KEPT = 200_000;

/** The readers' streams with their folded states: read, decide, append at the revision that was read. */
@Injectable()
export class ReaderStreams {
  private readonly kept = new LRUCache<string, FoldedStream>({
    maxSize: MAX_KEPT,
    sizeCalculation: weightOf,
  });
  private readonly queue = new KeyedMutex();
  private readonly read: ResumedRead;

  constructor(private readonly log: EventLog) {
    this.read = new ResumedRead(log);
  }

  /** Runs a reader's work in order, so that commands of one process do not conflict. */
  serialize<Result>(readerId: string, work: () => Promise<Result>): Promise<Result> {
    return this.queue.run(readerId, work);
  }

  /**
   * The result of an earlier execution of the same command, if any, and the revision as of which that is known.
   * @param options `anywhere`: also look for one from another process
   * @throws DomainError IdempotencyKeyReused when the key came with another request
   */
  async findPriorResult(
    readerId: string,
    context: CommandContext,
    { anywhere = false } = {},
  ): Promise<{ prior: CommandOutcome | undefined; revision: bigint }> {
    const folded = anywhere
      ? await this.refresh(readerId, this.kept.get(readerId) ?? EMPTY_STREAM)
      : await this.current(readerId);
    const { answer: prior } = await this.ask(readerId, folded, (of) => priorResult(of, context));
    if (prior) noteStored(prior.position);
    return { prior, revision: folded.revision };
  }

  /**
   * Decides and appends, with retries. A command that was named by a key gets one answer, whoever else is sent it: before
   * it is accepted on a state, `admit` is asked; a refusal counts on a state that was read since it was announced. So of
   * two attempts that differ, one has read the state of the other, or finds that the stream has moved on.
   * @param decideOn pure; may be called several times, each time with a newer state
   * @throws DomainError from the decision, on the newest state
   * @throws DomainError EventStoreUnavailable (AppendOutcomeUnknown when it may have been stored)
   */
  async execute(
    readerId: string,
    context: CommandContext,
    decideOn: (state: ReaderBorrows) => ReaderEvent[],
    { beforeRefusal, refused, admittedAt }: AroundDecision = {},
  ): Promise<CommandOutcome> {
    let folded = await this.current(readerId);
    let admitted = admittedAt;
    let announced: string | undefined;
    let isNewest = false;
    let isPrepared = beforeRefusal === undefined;
    for (let tries = 1; tries <= MAX_TRIES;) {
      const asked = await this.ask(readerId, folded, (of) => {
        return (
          priorResult(of, context) ??
          attemptDecision(() => withFollowingHoldEvents(of.state, decideOn(of.state)))
        );
      });
      folded = asked.folded;
      if (isOutcome(asked.answer)) {
        noteStored(asked.answer.position);
        return asked.answer;
      }
      const events = asked.answer;
      if (events instanceof DomainError) {
        const memory = isRefusalByRule(events.code) ? refused : undefined;
        if (!isNewest || (memory && announced === undefined)) {
          const answer = await memory?.announce(context);
          if (answer instanceof DomainError) return this.storedOr(answer, readerId, context);
          announced = answer;
          // Another process may have appended since: refuse on the newest state only.
          folded = await this.refresh(readerId, folded);
          isNewest = true;
        } else if (!isPrepared) {
          await beforeRefusal?.(events);
          isPrepared = true;
          folded = await this.current(readerId);
        } else if (!memory || announced === undefined || (await memory.settle(context, announced, events))) {
          throw events;
        } else {
          announced = undefined;
          tries += 1;
        }
        continue;
      }
      if (refused && admitted !== folded.revision) {
        const answer = await refused.admit(context);
        if (answer) return this.storedOr(answer, readerId, context);
        admitted = folded.revision;
        announced = undefined;
      }
      if (events.length === 0) {
        if (isNewest) return outcomeOf(folded, folded.position);
        folded = await this.refresh(readerId, folded);
        isNewest = true;
        continue;
      }
      try {
        return await this.store(readerId, folded, events, context);
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
        tries += 1;
        folded = await this.refresh(readerId, folded);
        isNewest = true;
      }
    }
    throw new DomainError('ConcurrentChange', m.borrow_changed_too_often());
  }

  /** The log wins over a remembered refusal. */
  async storedOr(refusal: DomainError, readerId: string, context: CommandContext): Promise<CommandOutcome> {
    const { prior } = await this.findPriorResult(readerId, context, { anywhere: true });
    if (prior) return prior;
    throw refusal;
  }

  private async store(
    readerId: string,
    folded: FoldedStream,
    events: ReaderEvent[],
    context: CommandContext,
  ): Promise<CommandOutcome> {
    const { commandId, commandDigest, actor, correlationId } = context;
    const stored = await this.log.append(
      'borrows',
      readerId,
      events.map((event, index): NewEvent<'borrows'> => ({
        id: eventId(readerId, commandId, index),
        event,
        metadata: { actor, $correlationId: correlationId, $causationId: commandId, commandId, commandDigest },
      })),
      folded.revision,
    );
    const next = extendedBy(folded, context, events, stored);
    this.keep(readerId, next);
    return outcomeOf(next, next.position, events);
  }

  /**
   * Asks a stream something; all of it, read anew, where the answer depends on what its state has forgotten.
   * @returns the answer, and the stream that gave it
   */
  private async ask<Answer>(
    readerId: string,
    folded: FoldedStream,
    question: (folded: FoldedStream) => Answer,
  ): Promise<{ answer: Answer; folded: FoldedStream }> {
    try {
      return { answer: question(folded), folded };
    } catch (error) {
      if (!(error instanceof EvictedError)) throw error;
      const whole = await this.whole(readerId);
      return { answer: question(whole), folded: whole };
    }
  }

  private async whole(readerId: string): Promise<FoldedStream> {
    const recorded = await this.read.from(readerId, 0n);
    return readable(() => extended(EMPTY_STREAM, recorded));
  }

  private keep(readerId: string, folded: FoldedStream): void {
    this.kept.set(readerId, compacted(folded));
  }

  private async current(readerId: string): Promise<FoldedStream> {
    return this.kept.get(readerId) ?? (await this.refresh(readerId, EMPTY_STREAM));
  }

  private async refresh(readerId: string, known: FoldedStream): Promise<FoldedStream> {
    const recorded = await this.read.from(readerId, known.revision + 1n);
    // A folded event was skipped since.
    if (skipsUpTo(known.revision, recorded)) return this.refresh(readerId, EMPTY_STREAM);
    const folded = recorded.length === 0 ? known : await this.extend(readerId, known, recorded);
    this.keep(readerId, folded);
    return folded;
  }

  private async extend(
    readerId: string,
    known: FoldedStream,
    recorded: readonly LoggedEvent[],
  ): Promise<FoldedStream> {
    try {
      return await readable(() => extended(known, recorded));
    } catch (error) {
      if (error instanceof EvictedError) return this.whole(readerId);
      throw error;
    }
  }
}

/** @throws Forgotten where the state after it is not known as a whole */
function priorResult(folded: FoldedStream, context: CommandIdentity): CommandOutcome | undefined {
  const prior = previousOutcome(folded, context);
  if (prior && !isComplete(folded)) throw new EvictedError();
  return prior;
}

function isOutcome(answer: CommandOutcome | ReaderEvent[] | DomainError): answer is CommandOutcome {
  return !Array.isArray(answer) && !(answer instanceof DomainError);
}

/** The id of an event that a command stores: a repeat stores the same. */
export function eventId(readerId: string, commandId: string, index: number): string {
  return uuidFromName(`${readerId} ${index}`, commandId);
}

function attemptDecision(decision: () => ReaderEvent[]): ReaderEvent[] | DomainError {
  try {
    return decision();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
