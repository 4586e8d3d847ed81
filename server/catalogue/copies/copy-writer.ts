import { v5 as uuidFromName } from 'uuid';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { CopyEvent } from '#contracts/copies/copy-events.js';
import { evolveCopy, IMPLIED_COPY, isInService, type CopyOfLibrary } from '#copies/copy.decider.js';
import type { Statements } from '#platform/database/database.js';

/** Who changes copies, and by which command. */
export interface CopyContext {
  /** A pseudonym. */
  actor: string;
  correlationId: string;
  commandId: string;
  commandDigest: string;
}

/** An event of a copy that is decided, and what it was decided on. */
export interface DecidedEvent extends CopyOfBook {
  event: CopyEvent;
  /** The copy before it; none if it is new. */
  before: CopyOfLibrary | undefined;
  /** Of the copy's last event before it, -1 if there is none. */
  revision: number;
  /** The command that adds it, where it may be sent again. */
  isNamed?: boolean;
}

/**
 * Writes what events do to copies and to the counters of their book, and the events themselves as still to be appended
 * (`CopyOutbox`). So they are decided and written in one transaction with whatever else the command changes, and reach the
 * log even if this process dies. The caller has locked the book.
 */
export async function writeCopies(
  transaction: Statements,
  bookId: number,
  decided: readonly DecidedEvent[],
  context: CopyContext,
): Promise<void> {
  if (decided.length === 0) return;
  const { actor, correlationId, commandId, commandDigest } = context;
  let inService = 0;
  const rows = decided.map(({ copy, event, before, revision, isNamed }) => {
    const after = evolveCopy(before ?? IMPLIED_COPY, event);
    inService += Number(isInService(after)) - Number(before !== undefined && isInService(before));
    return {
      copy,
      condition: after.condition,
      shelf_mark: after.shelfMark ?? null,
      revision: revision + 1,
      pending: {
        id: uuidFromName(copyCode({ bookId, copy }), commandId),
        event,
        metadata: { actor, $correlationId: correlationId, $causationId: commandId, commandId, commandDigest },
      },
      added_by: isNamed ? commandId : null,
      added_digest: isNamed ? commandDigest : null,
    };
  });
  await transaction.query(WRITTEN, [bookId, JSON.stringify(rows), inService]);
}

const WRITTEN = `
  with written as (
    insert into copy (book_id, copy, condition, shelf_mark, revision, pending, changed_at, added_by, added_digest)
    select $1, g.copy, g.condition, g.shelf_mark, g.revision, g.pending, now(), g.added_by, g.added_digest
    from jsonb_to_recordset($2::jsonb) as g (
      copy integer, condition text, shelf_mark text, revision bigint, pending jsonb, added_by uuid, added_digest text)
    on conflict (book_id, copy) do update set
      (condition, shelf_mark, revision, pending, changed_at) =
        row(excluded.condition, excluded.shelf_mark, excluded.revision, excluded.pending, excluded.changed_at)
  )
  update book set copies_total = copies_total + $3, copies_available = copies_available + $3
  where id = $1 and $3 <> 0`;
