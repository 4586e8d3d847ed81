import type { z } from 'zod';

/** The mark of such a schema, in the API's description too; its value is the one for what is not known, if there is one. */
export const OPEN_ENUM = 'x-grows';

/**
 * Marks one of several values of which a later release may have more. A page that is open since before an upgrade takes
 * one that it does not know for `otherwise`; in a list it leaves it out.
 */
export function openEnum<const Values extends Readonly<Record<string, string>>>(
  schema: z.ZodEnum<Values>,
  otherwise?: Values[keyof Values],
): z.ZodEnum<Values> {
  return schema.meta({ [OPEN_ENUM]: otherwise ?? true });
}
