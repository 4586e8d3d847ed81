import { z } from 'zod';
import { call } from '../call.js';

/** Characters of one piece of a file: a hundred books or so. */
export const MAX_PIECE = 30_000;

/** One row, by its line in the file, and why. */
const toldRowSchema = z.object({ line: z.int(), reason: z.string() });

const rowsTakenSchema = z.object({
  added: z.int(),
  /** The catalogue had them; they have got what they lacked. */
  alreadyThere: z.int(),
  refused: z.array(toldRowSchema).max(MAX_PIECE),
  /** Taken without what could not be read. */
  repaired: z.array(toldRowSchema).max(MAX_PIECE),
});
export type RowsTaken = z.infer<typeof rowsTakenSchema>;

/**
 * Takes some rows of a CSV file, as `npm run import` does: a bad one is refused and told. The same piece again adds nothing. A file is
 * sent piece by piece, so that whoever sends it sees how far it is.
 */
export const takeRows = call('POST Book/rows', {
  may: ['imports'],
  body: z.object({
    /** The file's first line, and whole rows below it. */
    text: z
      .string()
      .min(1)
      .max(MAX_PIECE * 2),
    /** Where in the file these rows begin, from 2. */
    line: z.int().min(2).max(10_000_000),
  }),
  answer: rowsTakenSchema,
  takesLong: true,
});
