import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { isHoldLetter } from '#contracts/holds/hold-events.js';
import { inLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { LibraryRules } from '#rules/library-rules.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { LETTER_KINDS, letterId, VISIT_LETTER, type LetterKind } from '#letters/notification-request.js';
import { DUE_LETTER_COLUMNS, dueLetter } from '#letters/due-letter.js';
import { stateOfVisit } from '#letters/visit-letters.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import {
  LetterDelivery,
  type AddressedLetter,
  type PreparedLetters,
  type RequestedLetter,
} from '../letter-delivery.js';
import type { RenderedLetter } from '../letter.js';
import { BorrowFacts, type FactsOfBorrow, type LetterOfReader } from './borrow-facts.js';
import { decideHoldLetter, decideLetter, type BorrowLetter } from './borrow-letter.decider.js';
import { borrowLetter, visitLetter, type LetterAddressee } from './borrow.letter.js';
import { decideVisit } from './visit-letter.decider.js';

const addressee = z.object({
  pseudonym: z.string(),
  email: z.string(),
  firstname: z.string(),
  language: z.string().nullable(),
});
type Addressee = z.output<typeof addressee>;

/** Letters that are looked through for one that can still be written. */
const LATEST = 10;

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
    private readonly library: LibraryFacts,
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
    const visitOf = ({ data }: RequestedLetter) => data as JobData<'letters', 'visit'>;
    this.delivery.handle('letters', VISIT_LETTER, {
      prepare: async (letters) => {
        const people = await this.addressees(letters.map(visitOf));
        return {
          write: async (letter) => {
            const to = people.get(visitOf(letter).accountId);
            return to && this.writeVisit(visitOf(letter), to);
          },
        };
      },
      about: (letter) => ({ letter: VISIT_LETTER, accountId: visitOf(letter).accountId }),
      sent: 'the letter of a visit was sent',
      dropped: 'nothing came of a visit, or its reader has no address: no letter',
    });
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
    return isSent(letter?.state);
  }

  /** Whether the letter of an earlier visit told of an event. @throws as `wentOut` */
  private async wasTold(readerId: string, revision: number): Promise<boolean> {
    return isSent(await stateOfVisit(this.database, readerId, revision));
  }

  /** By their pseudonyms; those alone whose address is confirmed. */
  private async addressees(letters: readonly { accountId: string }[]): Promise<Map<string, Addressee>> {
    const rows = await queryRows(this.database, addressee, {
      name: 'readers-of-letters',
      text: `select pseudonym, email, firstname, language from account where pseudonym = any($1) and email_confirmed`,
      values: [[...new Set(letters.map(({ accountId }) => accountId))]],
    });
    return new Map(rows.map((row) => [row.pseudonym, row]));
  }

  private async write(
    letter: LetterOfReader,
    to: Addressee,
    facts: FactsOfBorrow,
  ): Promise<AddressedLetter | undefined> {
    const decided = this.isOff(letter.kind) ? undefined : this.decided(letter, facts);
    if (!decided) return undefined;
    // There is nothing to correct where nothing was said: the other letter is not sent any more.
    if ('corrects' in decided && !(await this.wentOut(decided.corrects))) return undefined;
    const content = inLanguage(to.language, () => borrowLetter(decided, this.addressed(to)));
    return { to: to.email, content, id: letterId(letter.cause) };
  }

  private async writeVisit(
    asked: JobData<'letters', 'visit'>,
    to: Addressee,
  ): Promise<AddressedLetter | undefined> {
    const { accountId, cause } = asked;
    const { borrows, events } = await this.facts.ofVisit(asked);
    const now = this.clock.now().toISOString();
    const decided = decideVisit(asked, borrows, events, now, this.rules.shownAt(now));
    if (!decided || this.isOff(VISIT_LETTER)) return undefined;
    const parts: typeof decided.parts = [];
    for (const each of decided.parts) {
      if (this.isOff(each.part.kind)) continue;
      const isTold = each.corrects === undefined || (await this.wasTold(accountId, each.corrects));
      if (isTold) parts.push(each);
    }
    if (parts.length === 0) return undefined;
    return {
      to: to.email,
      content: inLanguage(to.language, () => visitLetter({ ...decided, parts }, this.addressed(to))),
      id: letterId(cause),
    };
  }

  private addressed({ firstname }: Pick<Addressee, 'firstname'>): LetterAddressee {
    const { reminderDays } = this.rules.shownAt(this.clock.now().toISOString());
    return {
      firstname,
      reminderDays: this.isOff('due-soon') ? 0 : reminderDays,
      overdueDays: this.library.all.letters.overdue.every,
      site: publicUrl(this.settings),
      library: this.library.name,
      timeZone: this.rules.timeZone.name,
    };
  }

  /** The library has chosen that letters of a kind are not sent. */
  private isOff(kind: string): boolean {
    return this.library.all.letters.off.includes(kind);
  }

  /**
   * The latest letters of a kind that can be written now, as their readers would get them.
   * @returns each by itself, as it is asked for
   */
  async *latest(kind: LetterKind): AsyncGenerator<() => RenderedLetter> {
    const rows = await queryRows(
      this.database,
      dueLetter,
      `select ${DUE_LETTER_COLUMNS} from letters.letter l where l.queue = 'letters' and l.kind = $1
       order by l.caused_at desc limit ${LATEST}`,
      [kind],
    );
    if (rows.length === 0) return;
    const letters = rows.map(({ cause, data }) => ({ kind, cause, ...data }) as LetterOfReader);
    const [people, facts] = await Promise.all([this.addressees(letters), this.facts.of(letters)]);
    for (const letter of letters) {
      const to = people.get(letter.accountId);
      const decided = to && this.decided(letter, await facts.of(letter));
      if (decided) yield () => borrowLetter(decided, this.addressed(to));
    }
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

function isSent(state: string | undefined): boolean {
  if (state === 'sending') throw new Error('The letter that this one corrects is in hand.');
  return state === 'sent';
}

/** The data of a letter about a borrow, parsed as its kind wants them, say whose it is. */
function ofReader({ kind, data }: RequestedLetter): LetterOfReader {
  return { kind: kind as LetterKind, ...(data as Omit<LetterOfReader, 'kind'>) };
}
