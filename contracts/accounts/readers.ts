import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { READER_KINDS } from '../rules/kinds.js';
import { checkedEmail, checkedPersonFields } from './account-calls.js';
import { accountDetailsSchema, deskDetailsSchema, readerFormSchema } from './account-requests.js';
import { readCardNumber } from './card-number.js';
import { cardSchema } from './own-card.js';
import { messageAnswerSchema, rolesSchema, setKeySchema } from './account-views.js';
import { readerSchema } from './reader.js';

export const USERS_PAGE_SIZE = 10;

export const readerSortSchema = z.enum(['Username', 'Name']);
export type ReaderSort = z.infer<typeof readerSortSchema>;

const readerListQuerySchema = z.object({
  SortBy: z.preprocess(emptyAsUndefined, readerSortSchema.default('Username')),
  SearchTerm: z.string().max(200).default(''),
  /** Only readers of this kind. */
  Kind: z.preprocess(
    emptyAsUndefined,
    z
      .enum(READER_KINDS, { error: () => m.account_kind_unknown({ kinds: READER_KINDS.join(', ') }) })
      .optional(),
  ),
  /** Only those who have this permission set. */
  Set: z.preprocess(emptyAsUndefined, setKeySchema.optional()),
  ...pageQuery(USERS_PAGE_SIZE),
});
export type ReaderListQuery = z.infer<typeof readerListQuerySchema>;

export const listReaders = call('GET User', {
  may: ['readers', 'holds', 'roles'],
  query: readerListQuerySchema,
  answer: pagedSchema(readerSchema),
});

const ofAccount = z.object({ id: z.uuid() });

/** For the reader and for staff. */
export const readReader = call('GET User/userId/:id', {
  may: ['SignedIn'],
  forOthers: ['readers', 'roles'],
  params: ofAccount,
  answer: readerSchema,
});

const readerEditSchema = z.object({
  ...readerFormSchema.shape,
  ...checkedPersonFields,
  /** May be left out, and stays as it is then; another one is for admins to choose. */
  kind: z
    .enum(READER_KINDS, { error: () => m.account_reader_kind_unknown({ kinds: READER_KINDS.join(', ') }) })
    .optional(),
  /** May be left out, and stay as they are then. The guardian is for admins to name. */
  phone: deskDetailsSchema.shape.phone.optional(),
  guardian: deskDetailsSchema.shape.guardian.optional(),
  /** Which was being edited: a change made meanwhile is not overwritten. Without it the last one to save wins. */
  version: z.int().min(1).optional(),
});
export type ReaderEdit = z.infer<typeof readerEditSchema>;

/** With the reader object; what else that has is not for changing here. */
export const editReader = call('PUT User', {
  may: ['SignedIn'],
  forOthers: ['readers', 'roles'],
  query: ofAccount,
  body: readerEditSchema,
  answer: readerSchema,
});

/** The form of a registration by a librarian. The username is made of the name where none is given. */
export const deskRegistrationFormSchema = z
  .object({
    ...readerFormSchema.shape,
    ...deskDetailsSchema.shape,
    email: checkedEmail,
    username: z.preprocess(emptyAsUndefined, accountDetailsSchema.shape.username.optional()),
    kind: z.enum(READER_KINDS),
    /** Of a card that is there already; otherwise one is made out. */
    cardNumber: z.preprocess(
      emptyAsUndefined,
      z
        .string()
        .refine((number) => readCardNumber(number) !== undefined, { error: m.account_card_number_wrong })
        .optional(),
    ),
  })
  .refine(({ kind, guardian }) => kind !== 'child' || guardian !== null, {
    path: ['guardian'],
    error: m.account_child_without_guardian,
    when: ({ value }) => z.looseObject({ kind: z.string() }).safeParse(value).success,
  });

/**
 * A librarian registers a reader, to whom a letter brings a link that sets a password.
 * Refused with `ReaderExists` where somebody of this name was born on this day, unless `evenIfAlike`.
 */
export const registerAtDesk = call('POST User/register', {
  may: ['readers'],
  body: z.intersection(
    deskRegistrationFormSchema,
    z.object({ ...checkedPersonFields, evenIfAlike: z.boolean().default(false) }),
  ),
  answer: z.object({ reader: readerSchema, card: cardSchema }),
  status: 201,
});

/** Says until when a reader is a member; null: without an end. */
export const renewMembership = call('PUT User/membership', {
  may: ['readers'],
  query: ofAccount,
  body: z.object({ until: z.iso.date({ error: m.common_not_a_day }).nullable() }),
  answer: readerSchema,
});

/** All the roles that the account has from now on. Everybody stays a reader. */
export const setRoles = call('PUT User/roles', {
  may: ['roles'],
  query: ofAccount,
  body: z.object({ roles: rolesSchema }),
  answer: readerSchema,
  confirmed: true,
});

/** Logs the account out on every device. */
export const endSessions = call('POST User/end-sessions', {
  may: ['SignedIn'],
  forOthers: ['roles'],
  query: ofAccount,
  answer: messageAnswerSchema,
});

const MAX_GIVEN = 100;

/** What was given to somebody and taken from them, or from a set that they have, as it is recorded for good. */
const roleChangeSchema = z.object({
  at: z.iso.datetime(),
  /** Who did it. */
  by: z.object({ id: z.uuid(), fullname: z.string() }),
  /** The set in which it was changed; null: what the account itself has was. */
  set: z.string().nullable(),
  /**
   * Of an account sets: those that are built in by the names of their roles, others as they are called now. Of a set
   * permissions, that to waive with its limit in grosze: `waive:2000`, or `waive:` without one.
   */
  given: z.array(z.string()).max(MAX_GIVEN),
  taken: z.array(z.string()).max(MAX_GIVEN),
});
export type RoleChange = z.infer<typeof roleChangeSchema>;

const roleChangesQuerySchema = z.object({ id: z.uuid(), ...pageQuery(MAX_PAGE_SIZE) });
export type RoleChangesQuery = z.infer<typeof roleChangesQuerySchema>;

/** Of an account with the sets that it has now, or of a set: by pages, the latest first. */
export const readRoleChanges = call('GET User/role-changes', {
  may: ['roles', 'audit'],
  query: roleChangesQuerySchema,
  answer: z.array(roleChangeSchema).max(MAX_PAGE_SIZE),
});

/** The caller's own account. */
export const readProfile = call('GET User/profile', { may: ['SignedIn'], answer: readerSchema });
