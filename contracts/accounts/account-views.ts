import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { READER_KINDS } from '../rules/kinds.js';

export const roleSchema = z.enum(['Reader', 'Admin', 'Auditor']);
export type Role = z.infer<typeof roleSchema>;
const rolesSchema = z.array(roleSchema).max(roleSchema.options.length);

/** What a login answers, and what the browser keeps under `user` (specification, section 3, "Signed-in user"). */
export const signedInUserSchema = z.object({
  /** The reader's account id. */
  id: z.uuid(),
  username: z.string(),
  /** A JWT; its `role` claim holds the roles. */
  token: z.string(),
  roles: rolesSchema,
  expiresAt: z.iso.datetime(),
  /** Said only where it is so: until the account has a second factor, it may do nothing else. */
  mustAddSecondFactor: z.boolean().optional(),
});
export type SignedInUser = z.infer<typeof signedInUserSchema>;

/** The claims of the token. */
export const tokenClaimsSchema = z.object({
  sub: z.uuid(),
  name: z.string(),
  role: z.union([roleSchema, z.array(roleSchema)]),
  /** The session, as the table of sessions has it. */
  sid: z.uuid(),
  /** Tokens with an older number than the account's are revoked. */
  session: z.int(),
  iat: z.int(),
  exp: z.int(),
});
export type TokenClaims = z.infer<typeof tokenClaimsSchema>;

/** Sessions that an account has at once: the one used longest ago makes room for another. */
export const MAX_SESSIONS = 500;

/** A session of the caller's own account. `GET Account/sessions` lists them: this one, then the others, the one used last first. */
export const sessionViewSchema = z.object({
  id: z.uuid(),
  /** "Firefox on Windows" */
  device: z.string(),
  /** "203.0.113.x", without the part that names one machine. */
  network: z.string(),
  created: z.iso.datetime(),
  /** To within a minute. */
  lastUsed: z.iso.datetime(),
  expires: z.iso.datetime(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;
export const sessionViewsSchema = z.array(sessionViewSchema).max(MAX_SESSIONS);

/** A reader (specification, section 3); the admin's screens and the profile show it. */
export const readerSchema = z.object({
  id: z.uuid(),
  userName: z.string(),
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  fullname: z.string(),
  dateOfBirth: z.iso.date(),
  gender: z.enum(['Male', 'Female', 'Other']),
  country: z.string(),
  city: z.string(),
  adress: z.string(),
  postalCode: z.string(),
  created: z.iso.datetime(),
  roles: rolesSchema,
  /** By which rules they borrow. */
  kind: z.enum(READER_KINDS),
  version: z.int(),
});
export type Reader = z.infer<typeof readerSchema>;

/** What `POST Account/check-password` answers. */
export const passwordCheckSchema = z.object({
  /** Why the password is easy to guess; null if nothing is known against it. */
  weakness: z.string().nullable(),
  /** Whether a weak one is refused. */
  refused: z.boolean(),
});
export type PasswordCheck = z.infer<typeof passwordCheckSchema>;

/** An answer that is only a sentence for the person at the screen. */
export const messageAnswerSchema = z.object({ message: z.string() });
export type MessageAnswer = z.infer<typeof messageAnswerSchema>;

export const readerPageSchema = pagedSchema(readerSchema);
export const USERS_PAGE_SIZE = 10;

export const readerSortSchema = z.enum(['Username', 'Name']);
export type ReaderSort = z.infer<typeof readerSortSchema>;

/** `GET User` */
export const readerListQuerySchema = z.object({
  SortBy: z.preprocess(emptyAsUndefined, readerSortSchema.default('Username')),
  SearchTerm: z.string().max(200).default(''),
  /** Only readers of this kind. */
  Kind: z.preprocess(
    emptyAsUndefined,
    z.enum(READER_KINDS, `The kind is one of these: ${READER_KINDS.join(', ')}.`).optional(),
  ),
  ...pageQuery(USERS_PAGE_SIZE),
});
export type ReaderListQuery = z.infer<typeof readerListQuerySchema>;

/** A role that an admin gave or took, as it is recorded for good. `GET User/role-changes?id` lists them by pages, the latest first. */
export const roleChangeSchema = z.object({
  at: z.iso.datetime(),
  /** Who did it. */
  by: z.object({ id: z.uuid(), fullname: z.string() }),
  given: rolesSchema,
  taken: rolesSchema,
});
export type RoleChange = z.infer<typeof roleChangeSchema>;
export const roleChangesSchema = z.array(roleChangeSchema).max(MAX_PAGE_SIZE);
export const roleChangesQuerySchema = z.object({ id: z.uuid(), ...pageQuery(MAX_PAGE_SIZE) });
export type RoleChangesQuery = z.infer<typeof roleChangesQuerySchema>;

/** What is shown for the name of whoever has no account any more. */
export const ACCOUNT_REMOVED = '(account removed)';
