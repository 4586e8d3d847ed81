import { isDeepStrictEqual } from 'node:util';
import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  keptFactsSchema,
  NO_FACTS,
  type KeptFacts,
  type LibraryFacts,
  type LibraryChange,
  type LibraryView,
} from '#contracts/library/library-facts.js';
import { USUAL_CURRENCY } from '#contracts/currency.js';
import { USUAL_LETTERS, type LetterChoices } from '#contracts/library/own-words.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { keptRow, storedFacts } from '#platform/library-facts.js';
import { changeTimeZone, storedTimeZone } from '#platform/library-time-zone.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import type { Picture } from '../http/uploaded-pictures.js';
import { RequestInvalid } from '../http/validation.js';

/** Characters of a text that a list of changes shows. */
const SHOWN = 120;
/** Texts of letters that one change shows. */
const MOST_CHANGES = 100;

const changeRow = z.object({
  version: z.int(),
  facts: keptRow,
  before: keptRow.nullable(),
  at: z.date(),
  by: z.string().nullable(),
  total: z.coerce.number(),
});

/** What the library says of itself, and who changed it. */
@Injectable()
export class LibraryChanges {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly clock: Clock,
    private readonly readModel: ReadModelSchema,
  ) {}

  async view(): Promise<LibraryView> {
    const { version, facts } = await storedFacts(this.database);
    const { APP_TITLE, CONTACT, TIME_ZONE } = this.settings;
    const { letters: _letters, ...own } = facts;
    return {
      ...own,
      timeZone: (await storedTimeZone(this.database)) ?? '',
      version,
      fixed: {
        name: APP_TITLE?.trim() || null,
        contact: CONTACT?.trim() || null,
        timeZone: TIME_ZONE !== undefined,
        currency: await this.hasCharged(this.database),
      },
    };
  }

  /**
   * @param edited the version that was edited
   * @throws DomainError ConcurrentChange; RequestInvalid where the time zone or the currency is fixed
   */
  changeFacts({ timeZone, ...facts }: LibraryFacts, accountId: string, edited: number): Promise<LibraryView> {
    return this.change(
      async (kept, transaction) => {
        if (counted(facts) !== counted(kept) && (await this.hasCharged(transaction))) {
          throw new RequestInvalid({ currency: [m.library_currency_fixed()] });
        }
        if (timeZone === '' || timeZone === (await storedTimeZone(transaction))) return { ...kept, ...facts };
        if (this.settings.TIME_ZONE !== undefined) {
          throw new RequestInvalid({ timeZone: [m.library_time_zone_fixed()] });
        }
        await changeTimeZone(transaction, timeZone);
        return { ...kept, ...facts, timeZone };
      },
      accountId,
      edited,
    );
  }

  /** Whether an amount was charged, or changed hands: it stays in the currency of then. */
  private async hasCharged(database: Queryable): Promise<boolean> {
    const row = await queryRow(
      database,
      z.object({ charged: z.boolean() }),
      `select exists (select from payment_transaction)
         or exists (select from ${await this.readModel.present()}.borrow where charged + paid + waived > 0) as charged`,
    );
    return row?.charged === true;
  }

  /**
   * @param edited the version that was edited; without it, whatever is there is changed
   * @throws DomainError ConcurrentChange
   */
  async change(
    change: (facts: KeptFacts, transaction: Connection) => KeptFacts | Promise<KeptFacts>,
    accountId: string,
    edited?: number,
  ): Promise<LibraryView> {
    await inTransaction(this.database, async (transaction) => {
      await transaction.query('lock table library_facts in share row exclusive mode');
      const { version, facts } = await storedFacts(transaction);
      if (edited !== undefined && edited !== version) {
        throw new DomainError('ConcurrentChange', m.library_changed_meanwhile());
      }
      const changed = await change(facts, transaction);
      if (changedFacts(facts, changed).length === 0) return;
      await transaction.query(
        'insert into library_facts (version, facts, changed_at, changed_by) values ($1, $2, $3, $4)',
        [version + 1, changed, this.clock.now(), accountId],
      );
      await notify(transaction, CHANNELS.library, '');
    });
    return this.view();
  }

  changeLogo(logo: Picture | null, accountId: string): Promise<LibraryView> {
    return this.change(async (facts, transaction) => {
      if (logo) {
        await transaction.query(
          'insert into library_logo (digest, bytes) values ($1, $2) on conflict do nothing',
          [logo.hash, logo.bytes],
        );
      }
      return { ...facts, logo: logo?.hash ?? null };
    }, accountId);
  }

  /** @throws DomainError NotFound */
  async logo(digest: string): Promise<Buffer> {
    const row = await queryRow(
      this.database,
      z.object({ bytes: z.instanceof(Buffer) }),
      'select bytes from library_logo where digest = $1',
      [digest],
    );
    if (!row) throw new DomainError('NotFound', m.library_no_such_logo());
    return row.bytes;
  }

  /** The latest first. */
  async list(pageNumber: number, pageSize: number): Promise<Paged<LibraryChange>> {
    const rows = await queryRows(
      this.database,
      changeRow,
      `select f.version, f.facts, b.facts as before, f.changed_at as at, a.fullname as by, count(*) over () as total
       from library_facts f left join library_facts b on b.version = f.version - 1 left join account a on a.id = f.changed_by
       order by f.version desc limit $1 offset $2`,
      [pageSize, (pageNumber - 1) * pageSize],
    );
    return {
      items: rows.map(({ version, facts, before, at, by }) => ({
        version,
        at: at.toISOString(),
        by,
        changes: changedFacts(before, facts).flatMap((fact) =>
          fact === 'letters'
            ? changedLetters(before?.letters, facts.letters)
            : { fact, from: shown(fact, before?.[fact]), to: shown(fact, facts[fact]) },
        ),
      })),
      totalCount: rows[0]?.total ?? 0,
    };
  }
}

const counted = ({ currency }: Pick<KeptFacts, 'currency'>) => currency || USUAL_CURRENCY;

const FACTS = Object.keys(keptFactsSchema.shape) as (keyof KeptFacts)[];

/** @param before nothing where nothing was set before */
const changedFacts = (before: KeptFacts | null, after: KeptFacts) =>
  FACTS.filter((fact) => !isDeepStrictEqual((before ?? NO_FACTS)[fact] || '', after[fact] || ''));

type Text = Exclude<keyof KeptFacts, 'letters'>;

function shown(fact: Text, value: string | null | undefined): string {
  if (!value) return '';
  return fact === 'logo' ? m.library_a_picture() : cut(value);
}

const cut = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** Each text that is another one, and which letters are sent. */
function changedLetters(before = USUAL_LETTERS, after: LetterChoices): LibraryChange['changes'] {
  const textsOf = ({ words, off, overdue }: LetterChoices) =>
    new Map([
      ...Object.entries(words).flatMap(([language, messages]) =>
        Object.entries(messages).flatMap(([key, forms]) =>
          Object.entries(forms).map(([form, text]) => [`${language} ${key} ${form}`, text] as const),
        ),
      ),
      ...off.map((letter) => [`off ${letter}`, m.own_words_not_sent({ letter })] as const),
      ['overdue', m.own_words_overdue_days(overdue)] as const,
    ]);
  const [was, is] = [textsOf(before), textsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((which) => was.get(which) !== is.get(which))
    .slice(0, MOST_CHANGES)
    .map((which) => ({ fact: 'letters', from: cut(was.get(which) ?? ''), to: cut(is.get(which) ?? '') }));
}
