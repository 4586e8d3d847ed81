import { z } from 'zod';
import type { ReaderImportField } from '#contracts/accounts/reader-import.js';
import { MAX_CANDIDATES } from '#contracts/imports.js';
import { foldText } from '#contracts/fold-text.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { ReaderData } from './reader-of-row.js';

/** The columns of an account that a file of readers can change, with what a new one has where the file says nothing. */
export const ACCOUNT_COLUMNS = {
  email: { column: 'email', otherwise: '' },
  firstname: { column: 'firstname', otherwise: '' },
  lastname: { column: 'lastname', otherwise: '' },
  dateOfBirth: { column: 'date_of_birth', otherwise: null },
  gender: { column: 'gender', otherwise: 'Other' },
  country: { column: 'country', otherwise: '' },
  city: { column: 'city', otherwise: '' },
  adress: { column: 'adress', otherwise: '' },
  postalCode: { column: 'postal_code', otherwise: '' },
  phone: { column: 'phone', otherwise: null },
  guardian: { column: 'guardian', otherwise: null },
  kind: { column: 'kind', otherwise: 'adult' },
  memberUntil: { column: 'member_until', otherwise: null },
} as const satisfies Partial<Record<ReaderImportField, { column: string; otherwise: string | null }>>;
export type AccountField = keyof typeof ACCOUNT_COLUMNS;
export const ACCOUNT_FIELDS = Object.keys(ACCOUNT_COLUMNS) as AccountField[];

const accountRow = z.object({
  id: z.string(),
  pseudonym: z.string(),
  fullname: z.string(),
  confirmed: z.boolean(),
  /** All cards that they have or had. */
  cards: z.array(z.string()),
  card: z.string().nullable(),
  open: z.int(),
  values: z.record(z.string(), z.string().nullable()),
});
export type KnownAccount = z.output<typeof accountRow>;

const VALUES = ACCOUNT_FIELDS.map((field) => `'${field}', a.${ACCOUNT_COLUMNS[field].column}::text`).join(
  ', ',
);

/** Accounts by their cards and addresses. */
export interface KnownAccounts {
  byCard: ReadonlyMap<string, KnownAccount>;
  byEmail: ReadonlyMap<string, readonly KnownAccount[]>;
}

/**
 * The accounts that rows may be of: with one of their cards, or of their email addresses. One that nobody has confirmed, and that
 * the library has not dealt with, is nobody's yet.
 */
export async function knownAccounts(
  database: Queryable,
  rows: readonly ReaderData[],
): Promise<KnownAccounts> {
  const cards = rows.flatMap(({ cardNumber }) => cardNumber ?? []);
  const emails = rows.flatMap(({ email }) => email?.toLowerCase() ?? []);
  const accounts = await queryRows(
    database,
    accountRow,
    `select a.id, a.pseudonym, a.fullname, a.email_confirmed as confirmed,
       array(select c.number from reader_card c where c.account_id = a.id) as cards,
       (select c.number from reader_card c where c.account_id = a.id and c.replaced_at is null) as card,
       (select count(*)::integer from copy_allocation h
          where h.reader_id = a.pseudonym and h.state <> 'released') as open,
       json_build_object(${VALUES}) as values
     from account a
     where a.id in (
       select account_id from reader_card where number = any($1::text[])
       union all select id from account
         where lower(email) = any($2::text[]) and (email_confirmed or version > 1))`,
    [cards, emails],
  );
  const byEmail = new Map<string, KnownAccount[]>();
  for (const account of accounts) {
    const email = account.values['email']?.toLowerCase();
    if (email) byEmail.set(email, [...(byEmail.get(email) ?? []), account]);
  }
  return { byCard: new Map(accounts.flatMap((each) => each.cards.map((card) => [card, each]))), byEmail };
}

export type Match =
  | { account: KnownAccount | undefined }
  | { candidates: readonly KnownAccount[]; code: 'fits-two' | 'other-name' | 'shared-address' };

/**
 * The account that a row is of, by its card and then by its email address; or those of whom a person is to say which it is. Families
 * share an address, a card may be given out again, and a name alone may have changed.
 */
export function accountOf(data: ReaderData, { byCard, byEmail }: KnownAccounts): Match {
  const ofCard = byCard.get(data.cardNumber ?? '');
  const ofEmail = byEmail.get(data.email?.toLowerCase() ?? '') ?? [];
  if (!ofCard) return ofAddress(data, ofEmail);
  if (ofEmail.length > 0 && !ofEmail.includes(ofCard))
    return { candidates: [ofCard, ...ofEmail].slice(0, MAX_CANDIDATES), code: 'fits-two' };
  const others = PERSON.filter((field) => compared(data, ofCard, field) === 'other');
  return others.length > 1 ? { candidates: [ofCard], code: 'other-name' } : { account: ofCard };
}

/** By the address alone somebody is known only where nothing else speaks against it; who has another first name and birth date is another. */
function ofAddress(data: ReaderData, accounts: readonly KnownAccount[]): Match {
  const same = accounts.filter((account) => isSame(data, account));
  const [account] = same;
  if (same.length > 1) return { candidates: same.slice(0, MAX_CANDIDATES), code: 'fits-two' };
  if (account) return { account };
  const isAnother = (account: KnownAccount) =>
    (['firstname', 'dateOfBirth'] as const).every((field) => compared(data, account, field) === 'other');
  const candidates = accounts.filter((each) => !isAnother(each));
  if (candidates.length === 0) return { account: undefined };
  return { candidates: candidates.slice(0, MAX_CANDIDATES), code: 'shared-address' };
}

function isSame(data: ReaderData, account: KnownAccount): boolean {
  const [firstname, lastname, dateOfBirth] = PERSON.map((field) => compared(data, account, field));
  if (firstname === 'same' && dateOfBirth === 'same') return true;
  return data.cardNumber === undefined && ![firstname, lastname, dateOfBirth].includes('other');
}

const PERSON = ['firstname', 'lastname', 'dateOfBirth'] as const;

/** How a row compares with the library's account; undefined where either of them says nothing. */
function compared(
  data: ReaderData,
  { values }: KnownAccount,
  field: (typeof PERSON)[number],
): 'same' | 'other' | undefined {
  const [said, known] = [data[field], values[field]];
  if (said === undefined || !known) return undefined;
  return foldText(said) === foldText(known) ? 'same' : 'other';
}

/** The row without the card and the address of another, once a person has said whose it is. A new reader may share the address. */
export function saidOf(
  { cardNumber, email, ...data }: ReaderData,
  account: KnownAccount | undefined,
  { byCard, byEmail }: KnownAccounts,
): ReaderData {
  const ofEmail = byEmail.get(email?.toLowerCase() ?? '') ?? [];
  const isOwnCard = [undefined, account].includes(byCard.get(cardNumber ?? ''));
  const isOwnEmail = !account || ofEmail.length === 0 || ofEmail.includes(account);
  return {
    ...data,
    ...(cardNumber !== undefined && isOwnCard && { cardNumber }),
    ...(email !== undefined && isOwnEmail && { email }),
  };
}

export type Differences = Partial<Record<ReaderImportField, { ours: string; theirs: string }>>;

/** What a file says otherwise than the library. An address that its owner has confirmed is theirs to change. */
export function differencesFrom(data: ReaderData, account: KnownAccount | undefined): Differences {
  const differs = ACCOUNT_FIELDS.flatMap((field) => {
    const [ours, theirs] = [account?.values[field] ?? '', data[field]];
    const isKept =
      theirs === undefined || theirs === ours || (field === 'email' && account?.confirmed === true);
    return isKept ? [] : [[field, { ours, theirs }] as const];
  });
  const { cardNumber } = data;
  const isKnownCard = cardNumber === undefined || account?.cards.includes(cardNumber);
  return {
    ...(!isKnownCard && { cardNumber: { ours: account?.card ?? '', theirs: cardNumber } }),
    ...Object.fromEntries(differs),
  };
}
