import type { ReaderImportField, ReaderImportKind } from '#contracts/accounts/reader-import.js';
import * as m from '#words/messages.js';
import { InvalidHeader, placesOf } from '../../imports/columns.js';

/** Names of columns in English and Polish, and as other systems export them, without blanks, hyphens and underscores. */
const NAMES: Record<ReaderImportField, readonly string[]> = {
  cardNumber: ['cardnumber', 'card', 'patronbarcode', 'borrowercardnumber', 'numerkarty', 'nrkarty', 'karta'],
  username: ['userid', 'username', 'login', 'nazwaużytkownika'],
  email: ['email', 'emailaddress', 'primaryemail', 'mail', 'adresemail'],
  firstname: ['firstname', 'givenname', 'imię', 'imie'],
  lastname: ['surname', 'lastname', 'familyname', 'nazwisko'],
  dateOfBirth: ['dateofbirth', 'birthdate', 'birthday', 'dob', 'dataurodzenia'],
  gender: ['sex', 'gender', 'płeć', 'plec'],
  country: ['country', 'kraj'],
  city: ['city', 'town', 'miasto', 'miejscowość'],
  adress: ['address', 'adress', 'street', 'adres', 'ulica'],
  postalCode: ['zipcode', 'postalcode', 'postcode', 'zip', 'kodpocztowy'],
  phone: ['phone', 'mobile', 'telephone', 'phonenumber', 'telefon'],
  guardian: ['guardian', 'guarantor', 'contactname', 'opiekun'],
  kind: ['categorycode', 'category', 'patroncategory', 'readerkind', 'kind', 'kategoria', 'rodzaj'],
  memberUntil: ['dateexpiry', 'expirydate', 'memberuntil', 'expires', 'członkodo', 'dataważności', 'ważnado'],
  copy: [
    'barcode',
    'itembarcode',
    'copy',
    'copylabel',
    'label',
    'item',
    'egzemplarz',
    'kodegzemplarza',
    'etykieta',
  ],
  due: ['datedue', 'duedate', 'due', 'termin', 'terminzwrotu', 'zwrotdo'],
  lentOn: ['issuedate', 'checkoutdate', 'loandate', 'lent', 'lenton', 'datawypożyczenia'],
  renewals: ['renewals', 'renewalscount', 'renewalcount', 'prolongaty', 'liczbaprolongat'],
};

const PERSON = [
  ...['firstname', 'lastname', 'dateOfBirth', 'gender', 'country', 'city', 'adress', 'postalCode', 'phone'],
  ...['guardian', 'kind', 'memberUntil', 'username'],
] as ReaderImportField[];

/** What a file of each kind says, besides whose row it is: others of its columns are passed over, those of a stranger above all. */
const FIELDS: Record<
  ReaderImportKind,
  { read: readonly ReaderImportField[]; needed: readonly ReaderImportField[] }
> = {
  readers: { read: PERSON, needed: ['lastname'] },
  memberships: { read: ['memberUntil'], needed: ['memberUntil'] },
  loans: { read: ['copy', 'due', 'lentOn', 'renewals'], needed: ['copy', 'due'] },
};

/** Where the fields are in a row. */
export interface ReaderColumns {
  /** Cells that a row has. */
  width: number;
  places: Partial<Record<ReaderImportField, number>>;
}

/** @throws InvalidHeader where neither card nor email address says whose rows they are, or what the kind of file needs is missing */
export function readerColumns(header: readonly string[], kind: ReaderImportKind): ReaderColumns {
  const { read, needed } = FIELDS[kind];
  const known = placesOf(header, NAMES);
  const places = Object.fromEntries(
    (['cardNumber', 'email', ...read] as const).flatMap((field) =>
      known[field] === undefined ? [] : [[field, known[field]]],
    ),
  ) as ReaderColumns['places'];
  const hasKey = places.cardNumber !== undefined || places.email !== undefined;
  const missing = [
    ...(hasKey ? [] : ['cardnumber']),
    ...needed.filter((field) => places[field] === undefined).map((field) => NAMES[field][0] ?? field),
  ];
  if (missing.length === 0) return { width: header.length, places };
  throw new InvalidHeader(
    m.import_columns_missing({
      count: missing.length,
      missing: missing.join(', '),
      header: header.join(', ').slice(0, 200),
    }),
  );
}
