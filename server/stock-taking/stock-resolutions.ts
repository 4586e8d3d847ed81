import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Paged } from '#contracts/paging.js';
import {
  FINDING_KINDS,
  MAX_RESOLVED,
  RESOLVING_ACTIONS,
  type ResolveBody,
  type ResolvedAnswer,
  type Resolution,
  type ResolvingAction,
  type UndoResolving,
} from '#contracts/stock-taking/stock-taking.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { KeyedMutex } from '#platform/keyed-mutex.js';
import { DATABASE } from '#platform/tokens.js';
import { UndoFinding } from '../borrowing/undo-finding.command.js';
import { ChangeCopy, EditCopy } from '../catalogue/copies/copy.commands.js';
import { correlationId } from '../http/correlation.js';
import type { SignedIn } from '../http/access.js';
import type { Scope } from './finding-statements.js';
import { StockFindings, type OpenFinding } from './stock-findings.js';
import { refuseClosed, scopeOf } from './stock-takings.js';

/** Findings that one call sets aside. */
const MAX_LEFT = 5_000;

type CopyAction = Exclude<ResolvingAction, 'leave'>;

const resolutionRow = z.object({
  code: z.string(),
  book_id: z.int().nullable(),
  copy: z.int().nullable(),
  action: z.enum(RESOLVING_ACTIONS),
  condition_before: z.enum(COPY_CONDITIONS).nullable(),
  mark_before: z.string().nullable(),
  revision_before: z.coerce.number().nullable(),
});
type ResolutionRow = z.output<typeof resolutionRow>;

const listedRow = z.object({
  code: z.string(),
  book_id: z.int().nullable(),
  title: z.string().nullable(),
  kind: z.enum(FINDING_KINDS),
  action: z.enum(RESOLVING_ACTIONS),
  resolved_at: z.date(),
  fullname: z.string().nullable(),
});

const WRITTEN = `
  insert into stock_resolution (stock_taking_id, code, book_id, copy, kind, action, batch,
    condition_before, mark_before, revision_before, resolved_by, resolved_at)
  select $1, g.code, g."bookId", g.copy, $3, $4, $5, g.condition, g."shelfMark", g.revision, $6, $7
  from jsonb_to_recordset($2::jsonb) as g (
    code text, "bookId" integer, copy integer, condition text, "shelfMark" text, revision bigint)
  on conflict (stock_taking_id, code) do update set
    (kind, action, batch, condition_before, mark_before, revision_before, resolved_by, resolved_at) =
      row(excluded.kind, excluded.action, excluded.batch, excluded.condition_before, excluded.mark_before,
        excluded.revision_before, excluded.resolved_by, excluded.resolved_at)`;

/** Deals with what a stock-taking found, through the commands of copies, and takes that back. */
@Injectable()
export class StockResolutions {
  /** Of each stock-taking one after the other: two librarians never decide on the same finding at once. */
  private readonly queue = new KeyedMutex();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly findings: StockFindings,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError StockTakingNotFound, StockTakingClosed */
  resolve(id: string, body: ResolveBody, caller: SignedIn): Promise<ResolvedAnswer> {
    return this.alone(id, async (scope) => {
      const { kind, action, codes, after } = body;
      const most = action === 'leave' ? MAX_LEFT : MAX_RESOLVED;
      const wanted = codes
        ? await this.findings.among(scope, kind, codes)
        : await this.findings.first(scope, kind, most, after);
      const there = new Set(wanted.map(({ code }) => code));
      const refused = (codes ?? [])
        .filter((code) => !there.has(code))
        .map((code) => ({ code, reason: m.stock_dealt_with_before() }));
      let done = 0;
      if (action === 'leave') {
        await this.write(id, wanted, body, caller);
        done = wanted.length;
      } else {
        for (const finding of wanted) {
          const reason = await this.reasonAgainst(() => this.resolveOne(id, finding, action, body, caller));
          if (reason === undefined) done += 1;
          else refused.push({ code: finding.code, reason });
        }
      }
      const isLast = codes !== undefined || wanted.length < most;
      return { done, refused, next: isLast ? null : (wanted.at(-1)?.code ?? null) };
    });
  }

  /**
   * Takes back what was decided, unless something else has happened to the copy since.
   * @throws DomainError StockTakingNotFound, StockTakingClosed
   */
  undo(id: string, what: UndoResolving, caller: SignedIn): Promise<ResolvedAnswer> {
    return this.alone(id, async () => {
      const rows = await queryRows(
        this.database,
        resolutionRow,
        `select code, book_id, copy, action, condition_before, mark_before, revision_before from stock_resolution
         where stock_taking_id = $1 and (code = any($2::text[]) or (batch = $3 and code > $4))
         order by code limit $5`,
        [
          id,
          'codes' in what ? what.codes : [],
          'batch' in what ? what.batch : null,
          ('batch' in what ? what.after : undefined) ?? '',
          MAX_RESOLVED,
        ],
      );
      const refused: ResolvedAnswer['refused'] = [];
      for (const row of rows) {
        const reason = await this.reasonAgainst(() => this.undoOne(id, row, caller));
        if (reason !== undefined) refused.push({ code: row.code, reason });
      }
      const isLast = 'codes' in what || rows.length < MAX_RESOLVED;
      return {
        done: rows.length - refused.length,
        refused,
        next: isLast ? null : (rows.at(-1)?.code ?? null),
      };
    });
  }

  /** The latest first. @throws DomainError StockTakingNotFound */
  async page(id: string, pageNumber: number, pageSize: number): Promise<Paged<Resolution>> {
    await scopeOf(this.database, id);
    const [rows, counted] = await Promise.all([
      queryRows(
        this.database,
        listedRow,
        `select r.code, r.book_id, b.title, r.kind, r.action, r.resolved_at, p.fullname
         from stock_resolution r left join book b on b.id = r.book_id left join account p on p.id = r.resolved_by
         where r.stock_taking_id = $1 order by r.resolved_at desc, r.code limit $2 offset $3`,
        [id, pageSize, (pageNumber - 1) * pageSize],
      ),
      queryRow(
        this.database,
        z.object({ count: z.int() }),
        'select count(*)::integer as count from stock_resolution where stock_taking_id = $1',
        [id],
      ),
    ]);
    const items = rows.map(({ code, book_id: bookId, title, kind, action, resolved_at, fullname: by }) => ({
      ...{ code, bookId, title, kind, action, by },
      at: resolved_at.toISOString(),
    }));
    return { items, totalCount: counted?.count ?? 0 };
  }

  /** One at a time, in whatever process: the row of the stock-taking is locked meanwhile. */
  private alone(id: string, work: (scope: Scope) => Promise<ResolvedAnswer>): Promise<ResolvedAnswer> {
    return this.queue.run(id, () =>
      inTransaction(this.database, async (connection: Connection) => {
        const { scope, state } = await scopeOf(connection, id, 'for no key update');
        refuseClosed(state);
        return work(scope);
      }),
    );
  }

  /**
   * The decision is written down first, with what the copy was: a process that dies after the command leaves one that can
   * be undone, and one that dies before it leaves a finding that is still open.
   */
  private async resolveOne(
    id: string,
    finding: OpenFinding,
    action: CopyAction,
    body: ResolveBody,
    caller: SignedIn,
  ): Promise<void> {
    if (action === 'move' && finding.shelf === null) {
      throw new DomainError('ShelfUnknown', m.stock_scanned_without_shelf());
    }
    await this.write(id, [finding], body, caller);
    try {
      await this.execute(action, copyOf(finding.bookId, finding.copy), finding.shelf, caller);
    } catch (error) {
      if (error instanceof DomainError) await this.forget(id, finding.code);
      throw error;
    }
  }

  private async write(
    id: string,
    findings: readonly OpenFinding[],
    { kind, action, batch }: ResolveBody,
    { accountId }: SignedIn,
  ): Promise<void> {
    const now = this.clock.now();
    await this.database.query(WRITTEN, [id, JSON.stringify(findings), kind, action, batch, accountId, now]);
  }

  private async undoOne(id: string, row: ResolutionRow, caller: SignedIn): Promise<void> {
    if (row.action !== 'leave') {
      const copy = copyOf(row.book_id, row.copy);
      const now = await queryRow(
        this.database,
        z.object({ revision: z.coerce.number() }),
        'select revision from copy where book_id = $1 and copy = $2',
        [copy.bookId, copy.copy],
      );
      const happened = (now?.revision ?? -1) - (row.revision_before ?? -1);
      if (happened > 1) {
        throw new DomainError('UndoBlocked', m.stock_undo_blocked());
      }
      if (happened === 1) await this.takeBack(row, copy, caller);
    }
    await this.forget(id, row.code);
  }

  private async takeBack(row: ResolutionRow, copy: CopyOfBook, caller: SignedIn): Promise<void> {
    if (row.action === 'move') return this.execute('move', copy, row.mark_before, caller);
    if (row.action === 'lost') return this.execute('bring-back', copy, null, caller);
    const before = row.condition_before;
    if (before === 'lost') {
      const isCharged = await this.commands.execute(
        new UndoFinding({ copy, context: contextOf(caller, 'UndoFinding', copy) }),
      );
      if (isCharged) return;
    }
    const type = before === 'lost' ? 'ReportLost' : before === 'damaged' ? 'ReportDamaged' : 'WithdrawCopy';
    return this.commands.execute(new ChangeCopy({ id: copy, type, context: contextOf(caller, type, copy) }));
  }

  private execute(
    action: CopyAction,
    copy: CopyOfBook,
    shelfMark: string | null,
    caller: SignedIn,
  ): Promise<void> {
    if (action === 'move') {
      return this.commands.execute(
        new EditCopy({ id: copy, body: { shelfMark }, context: contextOf(caller, 'MoveCopy', copy) }),
      );
    }
    const type = action === 'lost' ? 'ReportLost' : 'BringBack';
    return this.commands.execute(new ChangeCopy({ id: copy, type, context: contextOf(caller, type, copy) }));
  }

  private async forget(id: string, code: string): Promise<void> {
    await this.database.query('delete from stock_resolution where stock_taking_id = $1 and code = $2', [
      id,
      code,
    ]);
  }

  /** What a rule says against it; what is away or broken is thrown on. */
  private async reasonAgainst(work: () => Promise<void>): Promise<string | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'EventStoreUnavailable') return error.detail;
      throw error;
    }
  }
}

function copyOf(bookId: number | null, copy: number | null): CopyOfBook {
  if (bookId === null || copy === null) throw new Error('what is no copy can only be left');
  return { bookId, copy };
}

function contextOf({ pseudonym }: SignedIn, type: string, copy: CopyOfBook) {
  return {
    actor: pseudonym,
    correlationId: correlationId(),
    ...commandIdentity(randomUUID(), pseudonym, type, copy),
  };
}
