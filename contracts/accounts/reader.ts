import { z } from 'zod';
import { READER_KINDS } from '../rules/kinds.js';
import { rolesSchema } from './account-views.js';

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
  phone: z.string().nullable(),
  /** Who answers for a child. */
  guardian: z.string().nullable(),
  /** The last day of the membership; null where it has no end. */
  memberUntil: z.iso.date().nullable(),
  created: z.iso.datetime(),
  roles: rolesSchema,
  /** By which rules they borrow. */
  kind: z.enum(READER_KINDS),
  version: z.int(),
});
export type Reader = z.infer<typeof readerSchema>;
