import { z } from 'zod';
import { LANGUAGES } from '#contracts/languages.js';

export const borrowerRow = z.object({
  accountId: z.string(),
  /** What the log calls them. */
  pseudonym: z.string(),
  firstname: z.string(),
  fullname: z.string(),
  /** In which they read; null where they never chose. */
  language: z.enum(LANGUAGES).nullable(),
});
/** The reader for whom a device acts. */
export type Borrower = z.output<typeof borrowerRow>;
