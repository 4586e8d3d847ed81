import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { LANGUAGES, type Language } from '#contracts/languages.js';
import type { LetterSummary, LettersView, LetterView, OwnText } from '#contracts/library/own-words.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import { LibraryFacts, storedFacts } from '#platform/library-facts.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { LibraryRules } from '#rules/library-rules.js';
import * as m from '#words/messages.js';
import { htmlOf } from '../../http/markdown.js';
import { RequestInvalid } from '../../http/validation.js';
import { LibraryChanges } from '../../library/library-changes.js';
import { BorrowLetterJob } from '../borrow-letters/borrow-letter.job.js';
import type { RenderedLetter } from '../letter.js';
import { LetterRejected, Mailer } from '../mailer.js';
import {
  isLetter,
  isLetterOfBorrow,
  isPaper,
  LETTERS,
  PAPERS,
  type LetterName,
  type PaperName,
} from './letters.js';
import { casesOf, editedMessages, faultsIn, hearing, ofItsOwn, type Case } from './said-words.js';

type Words = Readonly<Record<string, OwnText>>;

/** Words that are tried out, in a case of a letter. */
interface Draft {
  language: Language;
  words: Words;
  case: number;
}

const own = z.object({ email: z.string(), firstname: z.string(), username: z.string() });
const NAMES = [...Object.keys(LETTERS), ...Object.keys(PAPERS)] as (LetterName | PaperName)[];

/** The letters and papers in the library's own words. */
@Injectable()
export class OwnLetters {
  /** Which letters say a message, by its key: the same in every language. */
  private saidBy: ReadonlyMap<string, readonly (LetterName | PaperName)[]> | undefined;

  constructor(
    private readonly changes: LibraryChanges,
    private readonly library: LibraryFacts,
    private readonly rules: LibraryRules,
    private readonly timeZone: LibraryTimeZone,
    private readonly clock: Clock,
    private readonly letters: BorrowLetterJob,
    private readonly mailer: Mailer,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  async all(): Promise<LettersView> {
    const { version, facts } = await storedFacts(this.database);
    const { words, off, overdue } = facts.letters;
    const ownKeys = new Map(
      LANGUAGES.map((language) => [language, new Set(Object.keys(words[language] ?? {}))]),
    );
    const summary = (letter: LetterName | PaperName): LetterSummary => {
      const [first] = casesOf(letter, currentLanguage(), this.library.name);
      const isOptional = isLetter(letter) && LETTERS[letter].isOptional;
      return {
        ...{ letter, name: nameOf(letter), subject: first?.subject ?? '', isOptional },
        isSent: !isOptional || !off.includes(letter),
        own: LANGUAGES.filter((language) =>
          this.keysOf(letter).some((key) => ownKeys.get(language)?.has(key)),
        ),
      };
    };
    const { reminderDays } = this.rules.shownAt(this.clock.now().toISOString());
    return {
      ...{ version, overdue, reminderDays },
      letters: NAMES.filter(isLetter).map(summary),
      papers: NAMES.filter(isPaper).map(summary),
    };
  }

  /** @throws RequestInvalid where a letter has to be sent; DomainError ConcurrentChange */
  async changeSending(
    { off, overdue, version }: Pick<LettersView, 'overdue' | 'version'> & { off: string[] },
    accountId: string,
  ): Promise<LettersView> {
    const always = off.filter((letter) => !isLetter(letter) || !LETTERS[letter].isOptional);
    if (always.length > 0) {
      throw new RequestInvalid({ off: always.map((letter) => m.own_words_must_be_sent({ letter })) });
    }
    await this.changes.change(
      (facts) => ({ ...facts, letters: { ...facts.letters, off, overdue } }),
      accountId,
      version,
    );
    return this.all();
  }

  /** @throws DomainError NotFound */
  async one(named: string, language: Language): Promise<LetterView> {
    const letter = this.known(named);
    const { version, facts } = await storedFacts(this.database);
    const keys = new Set(this.keysOf(letter));
    const others = (key: string) =>
      (this.readers().get(key) ?? []).filter((other) => other !== letter).map(nameOf);
    return {
      ...{ version, letter, name: nameOf(letter), isPaper: isPaper(letter) },
      cases: casesOf(letter, language, this.library.name).map((each) => ({
        subject: each.subject,
        messages: editedMessages(each, language, others),
      })),
      words: Object.fromEntries(
        Object.entries(facts.letters.words[language] ?? {}).filter(([key]) => keys.has(key)),
      ),
    };
  }

  /** @throws DomainError NotFound, ConcurrentChange; RequestInvalid */
  async change(
    named: string,
    { language, words, version }: Omit<Draft, 'case'> & { version: number },
    accountId: string,
  ): Promise<LetterView> {
    const letter = this.known(named);
    this.checked(letter, language, words);
    const keys = new Set(this.keysOf(letter));
    await this.changes.change(
      (facts) => {
        const others = Object.entries(facts.letters.words[language] ?? {}).filter(([key]) => !keys.has(key));
        const all = { ...Object.fromEntries(others), ...ofItsOwn(words, language) };
        return {
          ...facts,
          letters: { ...facts.letters, words: { ...facts.letters.words, [language]: all } },
        };
      },
      accountId,
      version,
    );
    return this.one(letter, language);
  }

  /** @throws DomainError NotFound; RequestInvalid */
  async preview(named: string, draft: Draft, accountId: string) {
    const letter = this.known(named);
    if (isPaper(letter)) {
      this.checked(letter, draft.language, draft.words);
      const { head, foot, name } = PAPERS[letter];
      const { result } = hearing(draft.language, draft.words, () => [head(), '…', foot()].map(htmlOf));
      return { subject: name(), html: result.join(''), isReal: false };
    }
    const { written, isReal } = await this.written(letter, draft, accountId);
    return { subject: written.subject, html: written.html, isReal };
  }

  /** @throws DomainError NotFound, ExternalServiceUnavailable; RequestInvalid */
  async sendToOneself(named: string, draft: Draft, accountId: string): Promise<{ sent: true }> {
    const letter = this.known(named);
    if (isPaper(letter)) throw new DomainError('NotFound', m.own_words_no_such_letter());
    const { email } = await this.ownAccount(accountId);
    const { written } = await this.written(letter, draft, accountId);
    try {
      await this.mailer.send(email, written);
    } catch (error) {
      if (error instanceof LetterRejected) throw new DomainError('ExternalServiceUnavailable', error.message);
      throw error;
    }
    return { sent: true };
  }

  /** As it was sent last, where it can still be written; else made up. */
  private async written(
    letter: LetterName,
    { language, words, case: at }: Draft,
    accountId: string,
  ): Promise<{ written: RenderedLetter; isReal: boolean }> {
    const wanted = this.checked(letter, language, words)[at];
    if (!wanted) throw new DomainError('NotFound', m.own_words_no_such_letter());
    const isWanted = (said: readonly { key: string }[]) => {
      const title = wanted.messages.find(({ role }) => role === 'subject')?.key;
      return said.some(({ key }) => key === title);
    };
    if (isLetterOfBorrow(letter)) {
      for await (const write of this.letters.latest(letter)) {
        const { result, said } = hearing(language, words, write);
        if (isWanted(said)) return { written: result, isReal: true };
      }
    }
    const { firstname, username } = await this.ownAccount(accountId);
    const { reminderDays } = this.rules.shownAt(this.clock.now().toISOString());
    const to = {
      ...{ firstname, username, library: this.library.name, site: publicUrl(this.settings) },
      ...{ timeZone: this.timeZone.name, reminderDays, overdueDays: this.library.all.letters.overdue.every },
    };
    for (const write of LETTERS[letter].madeUp) {
      const { result, said } = hearing(language, words, () => write(to));
      if (isWanted(said)) return { written: result, isReal: false };
    }
    throw new Error(`No letter ${letter} is made up for its case ${at}.`);
  }

  private async ownAccount(accountId: string): Promise<z.output<typeof own>> {
    const account = await queryRow(
      this.database,
      own,
      'select email, firstname, username from account where id = $1',
      [accountId],
    );
    if (!account) throw new Error('Whoever asks has no account.');
    return account;
  }

  private checked(letter: LetterName | PaperName, language: Language, words: Words): Case[] {
    const cases = casesOf(letter, language, this.library.name);
    const faults = faultsIn(words, cases, language);
    if (Object.keys(faults).length > 0) throw new RequestInvalid(faults);
    return cases;
  }

  private known(name: string): LetterName | PaperName {
    if (isLetter(name) || isPaper(name)) return name;
    throw new DomainError('NotFound', m.own_words_no_such_letter());
  }

  private keysOf(letter: LetterName | PaperName): string[] {
    return [...this.readers()].flatMap(([key, letters]) => (letters.includes(letter) ? key : []));
  }

  private readers(): ReadonlyMap<string, readonly (LetterName | PaperName)[]> {
    if (this.saidBy) return this.saidBy;
    const readers = new Map<string, (LetterName | PaperName)[]>();
    for (const letter of NAMES) {
      const said = casesOf(letter, 'en', '').flatMap(({ messages }) => messages);
      for (const key of new Set(said.map((each) => each.key)))
        readers.set(key, [...(readers.get(key) ?? []), letter]);
    }
    return (this.saidBy = readers);
  }
}

const nameOf = (letter: LetterName | PaperName): string =>
  isPaper(letter) ? PAPERS[letter].name() : LETTERS[letter].name();
