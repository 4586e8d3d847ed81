import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';

/** A request whose fields do not hold; `errors` has the messages by field. */
export class RequestInvalid extends Error {
  constructor(readonly errors: Record<string, string[]>) {
    super('The request is not valid.');
  }
}

/**
 * Validates a body, a query or path parameters by a contract: `@Body(valid(schema))`.
 * @throws RequestInvalid with every field's messages
 */
export function valid<Schema extends z.ZodType>(schema: Schema): PipeTransform<unknown, z.output<Schema>> {
  return {
    transform(value) {
      const result = schema.safeParse(value);
      if (result.success) return result.data;
      const errors: Record<string, string[]> = {};
      for (const issue of result.error.issues) {
        (errors[issue.path.join('.') || 'request'] ??= []).push(issue.message);
      }
      throw new RequestInvalid(errors);
    },
  };
}
