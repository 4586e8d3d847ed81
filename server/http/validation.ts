import type { z } from 'zod';
import * as m from '#words/messages.js';
import { jsonLimitViolation } from './json-limits.js';
import { validationMessage } from '#platform/validation-messages.js';

/** An invalid request; `errors` has the messages by field. */
export class RequestInvalid extends Error {
  constructor(readonly errors: Record<string, string[]>) {
    super('The request is not valid.');
  }
}

/**
 * A body, a query or path parameters, as their contract has them.
 * @throws RequestInvalid with every field's messages, or what there is too much of
 */
export function valid<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const excess = jsonLimitViolation(value);
  if (excess !== undefined) throw new RequestInvalid({ request: [excess] });
  const errors: Record<string, string[]> = {};
  for (const path of pathsWithNul(value)) errors[path || 'request'] = [m.error_character()];
  if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
  const result = schema.safeParse(value, { error: validationMessage });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    (errors[issue.path.join('.') || 'request'] ??= []).push(issue.message);
  }
  throw new RequestInvalid(errors);
}

/** Finds the character NUL, which PostgreSQL cannot store in a text. */
function pathsWithNul(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return value.includes('\u0000') ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsWithNul(inner, path === '' ? key : `${path}.${key}`),
  );
}
