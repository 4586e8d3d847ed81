import { z } from 'zod';
import type { ReaderImportField } from '#contracts/accounts/reader-import.js';
import { MAX_CANDIDATES } from '#contracts/imports.js';
import { foldText } from '#contracts/fold-text.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { ReaderData } from './reader-of-row.js';
import type { ReaderReason } from './reader-reasons.js';

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

/** The account that a row is of, by its card and then by its email address; those that it fits; or why nobody can say. */
export function accountOf(
  data: ReaderData,
  { byCard, byEmail }: KnownAccounts,
):
  | { account: KnownAccount | undefined }
  | { candidates: readonly KnownAccount[] }
  | { refused: ReaderReason } {
  const { cardNumber, email, firstname, lastname, dateOfBirth } = data;
  const ofCard = byCard.get(cardNumber ?? '');
  const ofEmail = byEmail.get(email?.toLowerCase() ?? '') ?? [];
  const fits = [...new Set([...(ofCard ? [ofCard] : []), ...ofEmail])];
  if (fits.length > 1) return { candidates: fits.slice(0, MAX_CANDIDATES) };
  const [account] = fits;
  const isOther = (said: string | undefined, known: string | null | undefined) =>
    said !== undefined && foldText(said) !== foldText(known ?? '');
  // Families share an address, and a card may be given out again; a name alone may have changed.
  const isSomebodyElse =
    account &&
    isOther(firstname, account.values['firstname']) &&
    (ofCard
      ? isOther(dateOfBirth, account.values['dateOfBirth'])
      : isOther(lastname, account.values['lastname']));
  return isSomebodyElse ? { refused: { code: 'other-name' } } : { account };
}

/** What a row says of the one of its candidates whose a person says that it is: without the card and the address of another. */
export function saidOf(
  { cardNumber, email, ...data }: ReaderData,
  { id }: KnownAccount,
  { byCard, byEmail }: KnownAccounts,
): ReaderData {
  const ofEmail = byEmail.get(email?.toLowerCase() ?? '') ?? [];
  const isOwnCard = (byCard.get(cardNumber ?? '')?.id ?? id) === id;
  const isOwnEmail = ofEmail.length === 0 || ofEmail.some((each) => each.id === id);
  return {
    ...data,
    ...(cardNumber !== undefined && isOwnCard && { cardNumber }),
    ...(email !== undefined && isOwnEmail && { email }),
  };
}

/** What a file says otherwise than the library. An address that its owner has confirmed is theirs to change. */
export function differencesFrom(
  data: ReaderData,
  account: KnownAccount | undefined,
): { field: ReaderImportField; ours: string; theirs: string }[] {
  const differs = ACCOUNT_FIELDS.flatMap((field) => {
    const [ours, theirs] = [account?.values[field] ?? '', data[field]];
    const isKept =
      theirs === undefined || theirs === ours || (field === 'email' && account?.confirmed === true);
    return isKept ? [] : [{ field, ours, theirs }];
  });
  const { cardNumber } = data;
  return cardNumber === undefined || account?.cards.includes(cardNumber)
    ? differs
    : [{ field: 'cardNumber', ours: account?.card ?? '', theirs: cardNumber }, ...differs];
}
