import { z } from 'zod';
import { EARLIEST_BIRTH } from '#contracts/accounts/account-calls.js';
import { accountDetailsSchema } from '#contracts/accounts/account-requests.js';
import { readAnyCardNumber } from '#contracts/accounts/card-number.js';
import { COUNTRIES } from '#contracts/accounts/countries.js';
import type { ReaderImportField } from '#contracts/accounts/reader-import.js';
import { unquotedFormula } from '#contracts/csv-cells.js';
import { addDays, isDay } from '#contracts/local-day.js';
import { isPlainText } from '#contracts/plain-text.js';
import { READER_KIND_LABELS, READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { ReaderColumns } from './reader-columns.js';
import type { ReaderReason, ReasonCode } from './reader-reasons.js';

/** What a row says, each as the library keeps it; what its file does not say is absent. */
export type ReaderData = Partial<Record<ReaderImportField, string>>;

export interface ReadingOptions {
  /** What the file's own categories are, in small letters. */
  kinds: ReadonlyMap<string, ReaderKind>;
  /** By the library's days. */
  today: string;
}

/** A row that says something that cannot be kept. */
class Refused extends Error {
  constructor(
    readonly code: ReasonCode,
    readonly where?: string,
  ) {
    super(code);
  }
}

/** What a row says; of one that is refused, with why, what comes before that. */
export function readerOfRow(
  cells: readonly string[],
  { width, places }: ReaderColumns,
  options: ReadingOptions,
): { data: ReaderData; refused?: ReaderReason } {
  const data: ReaderData = {};
  if (cells.length !== width)
    return { data, refused: { code: 'cells', where: `${cells.length} / ${width}` } };
  for (const [field, place] of Object.entries(places) as [ReaderImportField, number][]) {
    const text = unquotedFormula(cells[place] ?? '')
      .normalize('NFC')
      .replace(/\s+/gu, ' ')
      .trim();
    if (text === '') continue;
    try {
      if (!isPlainText(text) || text.includes('\uFFFD')) throw new Refused('characters');
      data[field] = READ[field](text, options);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, where } = error;
      return { data, refused: { code, field, ...(where !== undefined && { where }) } };
    }
  }
  if (data.cardNumber === undefined && data.email === undefined) return { data, refused: { code: 'no-key' } };
  return { data };
}

/** The categories of another system: `PT=adult, J=child`. @returns nothing where it is said otherwise, or of a kind that there is not */
export function kindsOf(text: string): Map<string, ReaderKind> | undefined {
  const kinds = new Map<string, ReaderKind>();
  for (const pair of text.split(/[,;]/).filter((each) => each.trim() !== '')) {
    const [category = '', name = ''] = pair.split('=').map((part) => part.trim().toLowerCase());
    const kind = READER_KINDS.find(
      (each) => each === name || READER_KIND_LABELS[each]().toLowerCase() === name,
    );
    if (category === '' || !kind) return undefined;
    kinds.set(category, kind);
  }
  return kinds;
}

const text = (longest: number) => (written: string) => {
  if (written.length <= longest) return written;
  throw new Refused('too-long', String(longest));
};

/** `yyyy-MM-dd`, with a time or without, or `dd.MM.yyyy`. */
function day(written: string): string {
  const [, d = '', month = '', year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(written) ?? [];
  const found = year ? `${year}-${month.padStart(2, '0')}-${d.padStart(2, '0')}` : written.slice(0, 10);
  const isWhole = year !== undefined || /^[\d-]{10}(?:[T ][\d:.]+Z?)?$/.test(written);
  if (isWhole && isDay(found) && found >= EARLIEST_BIRTH && found < '2200') return found;
  throw new Refused('not-a-day');
}

const ENDED = ['end', 'ended', 'expired', 'koniec', 'zakończone', 'zakończyć'];
/** As other systems and schools call them; a file's own names are told with it. */
const USUAL_KINDS: Record<ReaderKind, readonly string[]> = {
  adult: ['a', 'ad', 'pt', 'patron', 'adult', 'dorosły', 'dorosły czytelnik'],
  child: ['c', 'j', 'k', 'child', 'juvenile', 'kid', 'dziecko', 'uczeń'],
  staff: ['s', 't', 'staff', 'teacher', 'employee', 'pracownik', 'nauczyciel', 'bibliotekarz'],
};
const GENDERS = { Male: ['m', 'male', 'mężczyzna'], Female: ['f', 'k', 'female', 'kobieta'] };

function kind(written: string, { kinds }: ReadingOptions): ReaderKind {
  const said = written.toLowerCase();
  const found =
    kinds.get(said) ??
    READER_KINDS.find(
      (each) => USUAL_KINDS[each].includes(said) || READER_KIND_LABELS[each]().toLowerCase() === said,
    );
  if (found) return found;
  throw new Refused('kind-unknown', written.slice(0, 20));
}

function country(written: string): string {
  const said = written.toLowerCase();
  const found = COUNTRIES.find((each) =>
    [each.code, each.code3, each.name].some((name) => name.toLowerCase() === said),
  );
  if (found) return found.name;
  if (said === 'polska') return 'Poland';
  throw new Refused('country-unknown', written.slice(0, 40));
}

function born(written: string, { today }: ReadingOptions): string {
  const found = day(written);
  if (found < today) return found;
  throw new Refused('not-a-day');
}

function found(value: string | undefined, code: ReasonCode): string {
  if (value === undefined) throw new Refused(code);
  return value;
}

const email = z.email().max(254);

/** How each field is read. @throws Refused */
const READ: Record<ReaderImportField, (written: string, options: ReadingOptions) => string> = {
  cardNumber: (written) => found(readAnyCardNumber(written), 'not-a-card'),
  username: (written) => found(accountDetailsSchema.shape.username.safeParse(written).data, 'characters'),
  email: (written) => found(email.safeParse(written).data, 'not-an-email'),
  firstname: text(100),
  lastname: text(100),
  dateOfBirth: born,
  gender: (written) => {
    const said = written.toLowerCase();
    return GENDERS.Male.includes(said) ? 'Male' : GENDERS.Female.includes(said) ? 'Female' : 'Other';
  },
  country,
  city: text(100),
  adress: text(200),
  postalCode: text(20),
  phone: text(40),
  guardian: text(100),
  kind,
  // Ended: over since yesterday.
  memberUntil: (written, { today }) =>
    ENDED.includes(written.toLowerCase()) ? addDays(today, -1) : day(written),
  copy: text(40),
  due: day,
  lentOn: day,
  renewals: (written) =>
    found(/^\d{1,3}$/.test(written) ? String(Number(written)) : undefined, 'not-a-number'),
};
