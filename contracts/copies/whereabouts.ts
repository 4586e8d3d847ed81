import { z } from 'zod';

/** How many copies `GET Book/{id}/whereabouts` answers at most: a schoolbook may have thousands. */
export const MOST_WHEREABOUTS = 200;

/** Where a copy is, as everybody may know it: `kept` for a reader who collects it. Nothing of who has it. */
export const whereaboutsStateSchema = z.enum(['on-shelf', 'kept', 'lent']);

/** `GET Book/{id}/whereabouts`: copies that can be borrowed, those on the shelf first, then those that come back first. */
export const whereaboutsSchema = z
  .array(
    z.object({
      /** Its number among the book's copies. */
      copy: z.int(),
      state: whereaboutsStateSchema,
      /** Where it stands when it is there; null where nobody has written it down. */
      shelfMark: z.string().nullable(),
      /** The last day of the loan, of one that is lent; it may be over. */
      dueDate: z.iso.datetime().nullable(),
    }),
  )
  .max(MOST_WHEREABOUTS);
export type Whereabouts = z.infer<typeof whereaboutsSchema>;
