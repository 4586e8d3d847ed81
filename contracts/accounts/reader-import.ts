import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import {
  importRowShape,
  importShape,
  IMPORT_FILE_FIELD,
  IMPORT_ROWS_PAGE_SIZE,
  IMPORTS_SHOWN,
  MAX_CANDIDATES,
} from '../imports.js';
import { pageQuery, pagedSchema } from '../paging.js';

/** What a file brings: readers with all that is known of them, only until when they are members, or what they have from elsewhere. */
export const READER_IMPORT_KINDS = ['readers', 'memberships', 'loans'] as const;
export type ReaderImportKind = (typeof READER_IMPORT_KINDS)[number];

/** What a row can say, each with its name. */
export const READER_FIELD_LABELS = {
  cardNumber: m.desk_card_number,
  username: m.common_username,
  email: m.common_email,
  firstname: m.common_firstname,
  lastname: m.common_lastname,
  dateOfBirth: m.common_date_of_birth,
  gender: m.account_gender,
  country: m.account_country,
  city: m.account_city,
  adress: m.account_address,
  postalCode: m.common_postal_code,
  phone: m.common_phone,
  guardian: m.account_guardian,
  kind: m.account_reader_kind,
  memberUntil: m.account_member_until,
  copy: m.common_copy,
  due: m.common_due_date,
  lentOn: m.readers_import_lent_on,
  renewals: m.rules_renewals,
} as const satisfies Record<string, () => string>;
export type ReaderImportField = keyof typeof READER_FIELD_LABELS;
export const READER_IMPORT_FIELDS = Object.keys(READER_FIELD_LABELS) as [
  ReaderImportField,
  ...ReaderImportField[],
];

/**
 * What is to become of a row. Of an unsure one, a person says whose it is; a waiting one is a loan whose reader
 * is in a file that is still to be imported.
 */
export const READER_IMPORT_OUTCOMES = ['new', 'changed', 'same', 'unsure', 'waiting', 'refused'] as const;
export type ReaderImportOutcome = (typeof READER_IMPORT_OUTCOMES)[number];

/** What became of a row. */
export const READER_IMPORT_DONE = ['added', 'changed', 'left'] as const;

/** How invitations go out: as many an hour as was chosen, not at present, or no more. */
export const INVITATION_STATES = ['running', 'paused', 'ended'] as const;

/** In which files of other systems are written. */
export const FILE_ENCODINGS = ['utf-8', 'windows-1250', 'iso-8859-2'] as const;

export const MOST_INVITED_AN_HOUR = 10_000;

const count = z.int().min(0);

const invitationsSchema = z.object({
  /** Null until they are begun. */
  state: z.enum(INVITATION_STATES).nullable(),
  perHour: z.int().nullable(),
  from: z.iso.datetime().nullable(),
  /** Readers of this import who are to be invited yet; those who have a password by now are not among them. */
  waiting: count,
  /** Letters that were asked for, and of how many of them a password came. */
  sent: count,
  accepted: count,
});

export const readerImportSchema = z.object({
  ...importShape(READER_IMPORT_OUTCOMES, READER_IMPORT_DONE),
  kind: z.enum(READER_IMPORT_KINDS),
  /** Whether its refused rows can still be fetched. */
  hasRows: z.boolean(),
  invitations: invitationsSchema,
});
export type ReaderImport = z.infer<typeof readerImportSchema>;

export const readerImportRowSchema = z.object({
  ...importRowShape(READER_IMPORT_OUTCOMES, READER_IMPORT_DONE, READER_IMPORT_FIELDS),
  /** Whom it is about; empty where it cannot be read, or is over for long. */
  name: z.string(),
  accountId: z.uuid().nullable(),
  /** Of an unsure row, and of one that a person has settled: those whom it fits, each with a card. */
  candidates: z.array(z.object({ id: z.uuid(), name: z.string(), card: z.string() })).max(MAX_CANDIDATES),
});
export type ReaderImportRow = z.infer<typeof readerImportRowSchema>;

const staff = { may: ['readerFiles'], tag: 'ReaderImport' } as const;
const params = z.object({ id: z.uuid() });
const ofImport = { ...staff, params } as const;

/** How a file is read. */
export const readerFileSchema = z.object({
  kind: z.enum(READER_IMPORT_KINDS).default('readers'),
  encoding: z.enum(FILE_ENCODINGS).default('utf-8'),
  /** What the file's own categories are here, where they are not called so: `PT=adult, J=child`. */
  kinds: z.string().max(500).default(''),
  /** Of loans: whether the days late before they are taken over count, too. */
  earlierDays: z.stringbool().default(false),
});
export type ReaderFile = z.infer<typeof readerFileSchema>;

/** What the file would do is then to be looked at; nothing is done yet. */
export const stageReaders = call('POST ReaderImport', {
  ...staff,
  query: readerFileSchema,
  body: z.object({}),
  upload: IMPORT_FILE_FIELD,
  answer: z.object({ id: z.uuid() }),
  status: 201,
  takesLong: true,
});

export const listReaderImports = call('GET ReaderImport', {
  ...staff,
  answer: z.array(readerImportSchema).max(IMPORTS_SHOWN),
});

export const readReaderImport = call('GET ReaderImport/:id', { ...ofImport, answer: readerImportSchema });

export const listReaderRows = call('GET ReaderImport/:id/rows', {
  ...ofImport,
  query: z.object({
    Outcome: z.preprocess(emptyAsUndefined, z.enum(READER_IMPORT_OUTCOMES).optional()),
    ...pageQuery(IMPORT_ROWS_PAGE_SIZE),
  }),
  answer: pagedSchema(readerImportRowSchema),
});

/** The rows that were refused or left, as they came, with the reasons: to be put right and brought again. */
export const fetchRefusedReaders = call('GET ReaderImport/:id/refused', { ...ofImport, answer: 'text/csv' });

/** One of the row's candidates; a reader who is not known yet; null: nobody, and the row is refused. */
const settledReader = z.union([z.uuid(), z.literal('new')]).nullable();
export type SettledReader = z.infer<typeof settledReader>;

/** Says whose an unsure row is. */
export const settleReaderRow = call('PUT ReaderImport/:id/rows/:place', {
  ...staff,
  params: params.extend({ place: z.coerce.number().int().min(1) }),
  body: z.object({ accountId: settledReader }),
  answer: readerImportSchema,
});

/** Does all that is new or changed, and what waits where its readers are there by now; as a job. */
export const runReaderImport = call('POST ReaderImport/:id/run', {
  ...ofImport,
  answer: readerImportSchema,
  status: 202,
});

/** Invites the readers whom it added, so many an hour from then on; or has that rest, or end. */
export const inviteReaders = call('PUT ReaderImport/:id/invitations', {
  ...ofImport,
  body: z.object({
    state: z.enum(INVITATION_STATES),
    perHour: z.int().min(1).max(MOST_INVITED_AN_HOUR),
    from: z.preprocess(emptyAsUndefined, z.iso.datetime().optional()),
  }),
  answer: readerImportSchema,
});

/** Its rows go; the readers stay, and who was not invited yet is not. */
export const forgetReaderImport = call('DELETE ReaderImport/:id', {
  ...ofImport,
  answer: z.object({ deleted: count }),
});
