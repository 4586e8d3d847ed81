import { z } from 'zod';
import { call } from '../call.js';

const FOLLOWERS = ['projection', 'letters'] as const;

/** Who follows the event log and does not get on. Empty where all is well. */
const followersViewSchema = z
  .array(
    z.object({
      /** `projection` keeps the lists, `letters` asks for letters. */
      name: z.enum(FOLLOWERS),
      /** `retrying`: something is away for long. `stopped`: nothing goes on until a person has done something. */
      state: z.enum(['retrying', 'stopped']),
      since: z.iso.datetime(),
      reason: z.string(),
      /** The event that it stopped at, where it was one. */
      event: z
        .object({ stream: z.string(), revision: z.string(), position: z.string(), type: z.string() })
        .nullable(),
    }),
  )
  .max(FOLLOWERS.length);
export type FollowersView = z.infer<typeof followersViewSchema>;

export const readFollowers = call('GET Dashboard/followers', {
  may: ['system'],
  answer: followersViewSchema,
});
