import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { WaiverBody } from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { WAIVER_REASONS } from '#contracts/borrowing/borrow-events.js';
import {
  MAX_WAIVER_REQUESTS,
  waiverRequestStateSchema,
  type WaiverAnswer,
  type WaiverRequest,
  type WaiverRequestState,
} from '#contracts/borrowing/waiver-requests.js';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { fineDue } from '#circulation/borrow/borrow-state.js';
import { knownBorrow } from '#circulation/borrow/borrow.rules.js';
import { waive } from '#circulation/borrow/money.decider.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { DATABASE } from '#platform/tokens.js';
import { notAllowed, type SignedIn } from '../../http/access.js';
import { correlationId } from '../../http/correlation.js';
import { BorrowsById } from '../borrow.queries.js';
import { ReaderReplays } from '../streams/reader-replays.js';
import { WaiveFee } from './waive-fee.command.js';

/** Days for which whoever asked sees what became of it. */
const SEEN_DAYS = 7;

const requestRow = z.object({
  id: z.string(),
  readerId: z.string(),
  borrowId: z.string(),
  amount: z.int(),
  due: z.int(),
  reason: z.enum(WAIVER_REASONS),
  note: z.string().nullable(),
  askedBy: z.string(),
  askedAt: z.date(),
  asker: z.string(),
  state: waiverRequestStateSchema,
  answeredBy: z.string().nullable(),
  upTo: z.int().nullable(),
  answerer: z.string().nullable(),
  answer: z.string().nullable(),
});
type Row = z.output<typeof requestRow>;

const SELECT = `select w.id, w.reader_id as "readerId", w.borrow_id as "borrowId", w.amount, w.due, w.reason, w.note,
    w.asked_by as "askedBy", w.asked_at as "askedAt", asker.fullname as asker, w.state,
    w.answered_by as "answeredBy", w.up_to as "upTo", answerer.fullname as answerer, w.answer
  from waiver_request w join account asker on asker.pseudonym = w.asked_by
    left join account answerer on answerer.pseudonym = w.answered_by`;

/**
 * Requests to waive more than one may alone. Who approves one is written down before the event is stored, as only one may; what
 * broke off then is completed by whoever answers next, under the same id, so the fee is waived once.
 */
@Injectable()
export class WaiverRequests {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly replays: ReaderReplays,
    private readonly clock: Clock,
  ) {}

  /** Those that are open, and the caller's own of the last days. */
  async list(caller: SignedIn): Promise<WaiverRequest[]> {
    const since = new Date(this.clock.now().getTime() - SEEN_DAYS * 24 * 3_600_000);
    const rows = await queryRows(
      this.database,
      requestRow,
      `${SELECT} where w.state = 'open' or (w.asked_by = $1 and w.state <> 'withdrawn' and w.answered_at > $2)
       order by w.state = 'open' desc, w.asked_at desc limit $3`,
      [caller.pseudonym, since, MAX_WAIVER_REQUESTS],
    );
    const borrowIds = [...new Set(rows.map(({ borrowId }) => borrowId))];
    const borrows = await this.queries.execute(new BorrowsById({ borrowIds }));
    return rows.flatMap((row) => {
      const borrow = borrows.find(({ id }) => id === row.borrowId);
      return borrow ? [viewOf(row, borrow, caller)] : [];
    });
  }

  /**
   * @param id a repeat of the same request has the same
   * @throws DomainError as a waiver without a limit; WaiverAskedFor
   */
  async ask(
    caller: SignedIn,
    id: string,
    { readerId, borrowId, waiver }: { readerId: string; borrowId: string; waiver: WaiverBody },
  ): Promise<void> {
    const { amount, reason, note } = waiver;
    const now = this.clock.now();
    const replay = await this.replays.of(readerId);
    const borrow = knownBorrow(replay.stateAt(replay.lastRevision), borrowId);
    const asked = { readerId, amount, reason, librarianId: caller.pseudonym, upTo: null };
    waive(borrow, { ...asked, at: now.toISOString() }, []);
    const isNew = await this.change(
      `insert into waiver_request (id, reader_id, borrow_id, amount, due, reason, note, asked_by, asked_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [id, readerId, borrowId, amount, fineDue(borrow), reason, note ?? null, caller.pseudonym, now],
    );
    if (!isNew && !(await this.find(id))) {
      throw new DomainError('WaiverAskedFor', m.borrow_waiver_asked_already());
    }
  }

  /** @throws DomainError NotFound, NotAllowed, WaiverAboveLimit; WaiverAnswered for all but the first who answers */
  async answer(
    caller: SignedIn,
    id: string,
    answer: WaiverAnswer,
    note: string | undefined,
  ): Promise<WaiverRequestState> {
    const by = caller.pseudonym;
    const row = await this.known(id);
    if (row.state === 'open' && !answersOf(row, caller).includes(answer)) {
      throw notAllowed(m.borrow_waiver_not_yours());
    }
    const isFree = `id = $1 and state = 'open' and answered_by is null`;
    if (answer !== 'approve') {
      const state = answer === 'decline' ? 'declined' : 'withdrawn';
      const values = [id, by, state, note ?? null, this.clock.now()];
      const text = `update waiver_request set answered_by = $2, state = $3, answer = $4, answered_at = $5 where ${isFree}`;
      if (await this.change(text, values)) return state;
    } else {
      await this.database.query(`update waiver_request set answered_by = $2, up_to = $3 where ${isFree}`, [
        ...[id, by, caller.waiverLimit],
      ]);
    }
    const begun = await this.known(id);
    if (begun.state === 'open') await this.carryOut(begun);
    const after = await this.known(id);
    if (answer === 'approve' && after.state === 'approved' && after.answeredBy === by) return after.state;
    const inputs = { state: after.state, name: after.answerer ?? m.account_removed() };
    throw new DomainError('WaiverAnswered', m.borrow_waiver_answered(inputs));
  }

  /** Waives what somebody has approved, as them. */
  private async carryOut(row: Row): Promise<void> {
    const { id, readerId, borrowId, amount, due, reason, note, askedBy, answeredBy, upTo } = row;
    if (answeredBy === null) throw new DomainError('ConcurrentChange', m.borrow_being_changed());
    const waiver = { amount, reason, ...(note !== null && { note }) };
    const context = {
      ...{ actor: answeredBy, correlationId: correlationId() },
      ...commandIdentity(id, answeredBy, 'ApproveWaiver', {}),
    };
    const asked = { by: askedBy, due };
    try {
      await this.commands.execute(
        new WaiveFee({ readerId, borrowId, librarianId: answeredBy, waiver, upTo, asked, context }),
      );
    } catch (error) {
      if (error instanceof DomainError && isRefusalByRule(error.code)) return this.close(row, 'overtaken');
      if (error instanceof DomainError && error.code === 'WaiverAboveLimit') {
        const text = `update waiver_request set answered_by = null, up_to = null
          where id = $1 and state = 'open' and answered_by = $2`;
        await this.database.query(text, [id, answeredBy]);
      }
      throw error;
    }
    await this.close(row, 'approved');
  }

  private async close({ id }: Row, state: WaiverRequestState): Promise<void> {
    const text = `update waiver_request set state = $2, answered_at = $3 where id = $1 and state = 'open'`;
    await this.change(text, [id, state, this.clock.now()]);
  }

  /** Changes a request, and tells. @param values the first is its id @returns whether there was something to change */
  private change(text: string, values: unknown[]): Promise<boolean> {
    return inTransaction(this.database, async (connection) => {
      const changed = await queryRow(
        connection,
        z.object({ askedBy: z.guid(), borrowId: z.guid(), amount: z.int(), state: waiverRequestStateSchema }),
        `${text} returning asked_by as "askedBy", borrow_id as "borrowId", amount, state`,
        values,
      );
      if (changed) await notify(connection, CHANNELS.waivers, JSON.stringify(changed));
      return changed !== undefined;
    });
  }

  private find(id: string): Promise<Row | undefined> {
    return queryRow(this.database, requestRow, `${SELECT} where w.id = $1`, [id]);
  }

  private async known(id: string): Promise<Row> {
    const row = await this.find(id);
    if (!row) throw new DomainError('NotFound', m.borrow_waiver_unknown());
    return row;
  }
}

function answersOf(
  { state, askedBy, readerId, amount }: Row,
  { pseudonym, waiverLimit }: SignedIn,
): WaiverAnswer[] {
  if (state !== 'open') return [];
  if (askedBy === pseudonym) return ['withdraw'];
  const isWithin = waiverLimit === null || amount <= waiverLimit;
  return isWithin && readerId !== pseudonym ? ['approve', 'decline'] : [];
}

function viewOf(row: Row, borrow: BorrowView, caller: SignedIn): WaiverRequest {
  const { id, amount, due, reason, note, asker, askedBy, askedAt, state, answerer, answer } = row;
  return {
    ...{ id, reason, note, state, answer, askedBy: asker, askedAt: askedAt.toISOString() },
    borrow: { id: borrow.id, user: borrow.user, titles: borrow.borrowedBooks.map(({ title }) => title) },
    ...{ amount: amount / 100, due: due / 100, isOwn: askedBy === caller.pseudonym },
    answeredBy: state === 'open' ? null : answerer,
    mayBe: answersOf(row, caller),
  };
}
