import { z } from 'zod';

/** What is required of a new thing does not stop a change of one that lacks it: an import knows less than a form asks for. */

/** A body whose fields come as they were sent where they break a rule: whether they may is for `changedFields` to say. */
export function lenient<Shape extends z.core.$ZodShape>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const fields = Object.entries<z.core.$ZodType>(schema.shape).map(([name, field]) => [
    name,
    // Called with nothing where the schema is described.
    (field as z.ZodType).catch((failed?: { input: unknown }) => failed?.input as never),
  ]);
  return z.object(Object.fromEntries(fields) as z.core.$ZodShape) as unknown as z.ZodObject<Shape>;
}

const plain = (value: unknown): unknown =>
  isEmpty(value) ? null : typeof value === 'string' ? value.trim() : value;

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '';
}

/** Whether a field is as it was stored. */
export function isStored(given: unknown, stored: unknown): boolean {
  return JSON.stringify(plain(given)) === JSON.stringify(plain(stored));
}

/**
 * A thing's fields after a change. One that is as it was stored may stay so, whatever is required of a new thing; any other
 * has to be valid, so that what is there cannot be emptied.
 * @param schema what is required of a new thing
 * @param error words for rules that have none of their own
 * @returns the fields, and messages by field where there are any
 */
export function changedFields<Fields extends object>(
  schema: z.ZodObject,
  given: Fields,
  stored: object,
  error?: z.core.$ZodErrorMap,
): { fields: Fields; errors: Record<string, string[]> } {
  const result = schema.safeParse(given, error && { error });
  const fields = { ...given } as Record<string, unknown>;
  const errors: Record<string, string[]> = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const field = String(path[0]);
    const kept = (stored as Record<string, unknown>)[field];
    if (isStored(fields[field], kept)) fields[field] = kept;
    else (errors[field] ??= []).push(message);
  }
  return { fields: fields as Fields, errors };
}
