import { z } from 'zod';
import { LANGUAGES } from '../languages.js';
import { PERMISSIONS, ROLES } from '../permissions.js';

const roleSchema = z.enum(ROLES);
/** A permission set: one that is built in by its name, one that the library made by its id. */
export const setKeySchema = z.union([roleSchema, z.uuid()]);
export const MAX_SETS = 50;
export const rolesSchema = z.array(setKeySchema).max(MAX_SETS);

export const permissionsSchema = z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length);

/** What a login answers, and what the browser keeps under `user` (specification, section 3, "Signed-in user"). */
export const signedInUserSchema = z.object({
  /** The reader's account id. */
  id: z.uuid(),
  username: z.string(),
  /** A JWT; its `role` claim holds the roles. */
  token: z.string(),
  roles: rolesSchema,
  /** All that the roles allow. */
  permissions: permissionsSchema,
  expiresAt: z.iso.datetime(),
  /** What they chose to read in, if they did. */
  language: z.enum(LANGUAGES).nullish(),
  /** Said only where it is so: until the account has a second factor, it may do nothing else. */
  mustAddSecondFactor: z.boolean().optional(),
});
export type SignedInUser = z.infer<typeof signedInUserSchema>;

/** The claims of the token. */
export const tokenClaimsSchema = z.object({
  sub: z.uuid(),
  name: z.string(),
  role: z.union([setKeySchema, z.array(setKeySchema)]),
  /** The session, as the table of sessions has it. */
  sid: z.uuid(),
  /** Tokens with an older number than the account's are revoked. */
  session: z.int(),
  iat: z.int(),
  exp: z.int(),
});
export type TokenClaims = z.infer<typeof tokenClaimsSchema>;

/** Where a browser is led: an address of the web, as the server has seen to. */
export const webAddressSchema = z.string();

/** An answer that is only a sentence for the person at the screen. */
export const messageAnswerSchema = z.object({ message: z.string() });
export type MessageAnswer = z.infer<typeof messageAnswerSchema>;
