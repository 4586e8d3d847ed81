import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { isHoldLetter } from '#contracts/holds/hold-events.js';
import { libraryName } from '#platform/library-name.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { LibraryRules } from '#rules/library-rules.js';
import { LETTER_KINDS, letterId, type LetterKind } from '#letters/notification-request.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import {
  LetterDelivery,
  type AddressedLetter,
  type PreparedLetters,
  type RequestedLetter,
} from '../letter-delivery.js';
import { BorrowFacts, type FactsOfBorrow, type LetterOfReader } from './borrow-facts.js';
import { decideHoldLetter, decideLetter, type BorrowLetter } from './borrow-letter.decider.js';
import { borrowLetter } from './borrow.letter.js';

const addressee = z.object({ pseudonym: z.string(), email: z.string(), firstname: z.string() });
type Addressee = z.output<typeof addressee>;

/**
 * Writes the letters about borrows and holds. The ledger has ids only; text and recipient are read when they are sent, for all
 * letters of a batch at once.
 */
@Injectable()
export class BorrowLetterJob implements OnModuleInit {
  constructor(
    private readonly delivery: LetterDelivery,
    private readonly facts: BorrowFacts,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onModuleInit(): void {
    const writer = {
      prepare: (letters: readonly RequestedLetter[]) => this.prepare(letters.map(ofReader)),
      about: (letter: RequestedLetter) => {
        const { kind, accountId, borrowId } = ofReader(letter);
        return { letter: kind, accountId, borrowId };
      },
      sent: 'a letter was sent',
      dropped: 'a letter had nothing to say any more',
    };
    for (const kind of LETTER_KINDS) this.delivery.handle('letters', kind, writer);
  }

  private async prepare(letters: readonly LetterOfReader[]): Promise<PreparedLetters> {
    const [people, facts] = await Promise.all([this.addressees(letters), this.facts.of(letters)]);
    return {
      write: async (requested) => {
        const letter = ofReader(requested);
        const to = people.get(letter.accountId);
        return to && this.write(letter, to, await facts.of(letter));
      },
      isMoot: (requested) => {
        const letter = ofReader(requested);
        const known = facts.known(letter);
        return known !== undefined && !this.decided(letter, known);
      },
    };
  }

  /**
   * Whether the letter of this cause was sent.
   * @throws an Error while that is being sent, or found to be no longer true: this letter is tried again then
   */
  private async wentOut(cause: string): Promise<boolean> {
    const letter = await queryRow(
      this.database,
      z.object({ state: z.string() }),
      'select state from letters.letter where cause = $1',
      [cause],
    );
    if (letter?.state === 'sending') throw new Error('The letter that this one corrects is in hand.');
    return letter?.state === 'sent';
  }

  /** By their pseudonyms; those alone whose address is confirmed. */
  private async addressees(letters: readonly LetterOfReader[]): Promise<Map<string, Addressee>> {
    const rows = await queryRows(this.database, addressee, {
      name: 'readers-of-letters',
      text: `select pseudonym, email, firstname from account where pseudonym = any($1) and email_confirmed`,
      values: [[...new Set(letters.map(({ accountId }) => accountId))]],
    });
    return new Map(rows.map((row) => [row.pseudonym, row]));
  }

  private async write(
    letter: LetterOfReader,
    to: Addressee,
    facts: FactsOfBorrow,
  ): Promise<AddressedLetter | undefined> {
    const decided = this.decided(letter, facts);
    if (!decided) return undefined;
    // There is nothing to correct where nothing was said: the other letter is not sent any more.
    if ('corrects' in decided && !(await this.wentOut(decided.corrects))) return undefined;
    const content = borrowLetter(decided, {
      firstname: to.firstname,
      site: publicUrl(this.settings),
      library: libraryName(this.settings),
      timeZone: this.rules.timeZone.name,
    });
    return { to: to.email, content, id: letterId(letter.cause) };
  }

  private decided(letter: LetterOfReader, { borrow, hold, events }: FactsOfBorrow): BorrowLetter | undefined {
    const { kind } = letter;
    if (isHoldLetter(kind)) return decideHoldLetter(kind, hold);
    const now = this.clock.now().toISOString();
    const decided = decideLetter(letter, borrow, events, now, this.rules.shownAt(now));
    if (!hold || (decided?.kind !== 'books-rented' && decided?.kind !== 'borrow-expired')) return decided;
    // The first rent of a hold has its id; later ones have others.
    return { ...decided, isReserved: true, ...(hold.id !== letter.borrowId && { isAnother: true }) };
  }
}

/** The data of a letter about a borrow, parsed as its kind wants them, say whose it is. */
function ofReader({ kind, data }: RequestedLetter): LetterOfReader {
  return { kind: kind as LetterKind, ...(data as Omit<LetterOfReader, 'kind'>) };
}
