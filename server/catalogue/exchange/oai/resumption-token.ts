import { z } from 'zod';
import { OaiError, selectionSchema } from './oai-request.js';

const placeSchema = z.strictObject({
  verb: z.enum(['ListRecords', 'ListIdentifiers']),
  asked: selectionSchema,
  /** The number of the last book. */
  after: z.int().min(0).max(2_147_483_647),
  /** How many records came before. */
  cursor: z.int().min(0),
  /** How many there were in all at the beginning. */
  size: z.int().min(0),
});

/** Where a list goes on, and what was asked for: nothing of it is kept here, so it is good at any server and after any restart. */
export type Place = z.infer<typeof placeSchema>;

export const tokenOf = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/** @throws OaiError badResumptionToken */
export function placeOf(verb: Place['verb'], token: string): Place {
  const { data } = z
    .string()
    .transform((text, { addIssue }) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        addIssue('no JSON');
        return z.NEVER;
      }
    })
    .pipe(placeSchema)
    .safeParse(Buffer.from(token, 'base64url').toString());
  if (data?.verb !== verb) {
    throw new OaiError('badResumptionToken', 'no token of this repository for this verb');
  }
  return data;
}
