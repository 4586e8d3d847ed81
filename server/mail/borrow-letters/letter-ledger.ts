import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

/** Claims time out after this: longer than a mail server can take. */
const CLAIM_LASTS = '3 minutes';

/** Entries are deleted after this: no job refers to them any more. */
const KEPT = '400 days';

/** The result of claiming a letter. */
export type Claim =
  | { kind: 'claimed'; claim: string }
  /** Sent, or found to have nothing to say. */
  | { kind: 'settled' }
  /** Another process is sending it now. */
  | { kind: 'taken' };

/**
 * Records which letters were sent (`docs/decisions/009-letters.md`). A letter is claimed before it is sent and settled
 * afterwards. If the process dies in between, the claim times out and the letter is sent once more.
 */
@Injectable()
export class LetterLedger {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async claim(cause: string): Promise<Claim> {
    const claim = randomUUID();
    const { rowCount } = await this.database.query(
      `update letters.letter set state = 'sending', claim = $2, claimed_at = now()
       where cause = $1 and (state = 'waiting' or (state = 'sending' and claimed_at < now() - $3::interval))`,
      [cause, claim, CLAIM_LASTS],
    );
    if (rowCount === 1) return { kind: 'claimed', claim };
    const letter = await queryRow(
      this.database,
      z.object({ state: z.string() }),
      'select state from letters.letter where cause = $1',
      [cause],
    );
    // Without an entry it is unknown whether the letter was sent: it is not sent again.
    const isOpen = letter?.state === 'sending' || letter?.state === 'waiting';
    return { kind: isOpen ? 'taken' : 'settled' };
  }

  /** The letter was sent, or must not be. */
  async settle(cause: string, claim: string, state: 'sent' | 'dropped'): Promise<void> {
    await this.database.query(
      `update letters.letter set state = $3, claim = null, settled_at = now() where cause = $1 and claim = $2`,
      [cause, claim, state],
    );
  }

  /** The letter was not sent: the next attempt may claim it at once. */
  async release(cause: string, claim: string): Promise<void> {
    await this.database.query(
      `update letters.letter set state = 'waiting', claim = null, claimed_at = null where cause = $1 and claim = $2`,
      [cause, claim],
    );
  }

  /** Deletes old entries. */
  async prune(): Promise<void> {
    await this.database.query('delete from letters.letter where caused_at < now() - $1::interval', [KEPT]);
  }
}
