import { z } from 'zod';
import { call } from '../call.js';

const count = z.int().min(0);

const demoViewSchema = z.object({
  /** Its books and readers that are there. */
  books: count,
  readers: count,
  /** Of the books: those that somebody has changed since, or added copies of. They stay. */
  changed: count,
  /** It can be put in: there are no books yet. */
  canBeAdded: z.boolean(),
});
export type DemoView = z.infer<typeof demoViewSchema>;

const staff = { may: ['library'], answer: demoViewSchema } as const;

export const readDemo = call('GET Library/demo', staff);

/** Books to look at and readers to lend them to, all of them or none. */
export const addDemo = call('POST Library/demo', { ...staff, status: 201, takesLong: true });

/** Takes it away again, all that nobody has changed; or nothing, where some of it is in use. */
export const removeDemo = call('DELETE Library/demo', { ...staff, takesLong: true });
