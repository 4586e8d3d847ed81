import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

/** Longer than a mail server can take: who claimed a letter before that is no longer at it. */
const CLAIM_LASTS = '3 minutes';

/** Letters are forgotten after this: nothing asks for them again. */
const KEPT = '400 days';

/** What became of the wish to send a letter. */
export type Claim =
  | { kind: 'claimed'; claim: string }
  /** Sent, or found to have nothing to say. */
  | { kind: 'settled' }
  /** Somebody else is sending it at this moment. */
  | { kind: 'taken' };

/**
 * Which letters were sent (`docs/decisions/009-letters.md`). A claim is written before a letter is handed over and
 * settled after it. Who dies in between leaves the claim, and the letter is sent once more when it has run out.
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
    // Of a letter that the ledger does not know any more nothing can be said: it is not sent a second time.
    const isOpen = letter?.state === 'sending' || letter?.state === 'waiting';
    return { kind: isOpen ? 'taken' : 'settled' };
  }

  /** The letter was sent, or is not to be. */
  async settle(cause: string, claim: string, state: 'sent' | 'dropped'): Promise<void> {
    await this.database.query(
      `update letters.letter set state = $3, claim = null, settled_at = now() where cause = $1 and claim = $2`,
      [cause, claim, state],
    );
  }

  /** The letter was not sent: the next try may claim it at once. */
  async release(cause: string, claim: string): Promise<void> {
    await this.database.query(
      `update letters.letter set state = 'waiting', claim = null, claimed_at = null where cause = $1 and claim = $2`,
      [cause, claim],
    );
  }

  /** Forgets what was long ago. */
  async prune(): Promise<void> {
    await this.database.query('delete from letters.letter where caused_at < now() - $1::interval', [KEPT]);
  }
}
