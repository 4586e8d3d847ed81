import { z } from 'zod';
import { RequestInvalid, valid } from './validation.js';

function errorsOf(schema: z.ZodType, value: unknown): Record<string, string[]> {
  try {
    valid(schema, value);
    return {};
  } catch (error) {
    if (error instanceof RequestInvalid) return error.errors;
    throw error;
  }
}

describe('what a person is told of a field', () => {
  it.each<[z.ZodType, unknown, string]>([
    [z.string(), undefined, 'This is required.'],
    [z.string(), null, 'This is required.'],
    [z.string(), 7, 'This must be a text.'],
    [z.string().min(1), '', 'This is required.'],
    [z.string().min(5), 'abc', 'At least 5 characters.'],
    [z.string().max(3), 'abcd', 'At most 3 characters.'],
    [z.string().regex(/x/), 'abc', 'This is not in the right format.'],
    [z.uuid(), '7', 'This is not a valid id.'],
    [z.email(), 'nobody', 'Please enter a valid email address.'],
    [z.url(), 'nowhere', 'Please enter a valid web address.'],
    [z.iso.date(), '21.11.2026', 'Please enter a date as yyyy-MM-dd.'],
    [z.coerce.number(), 'many', 'This must be a number.'],
    [z.int(), 1.5, 'This must be a whole number.'],
    [z.number().min(1), 0, 'This must be at least 1.'],
    [z.number().gt(1), 1, 'This must be more than 1.'],
    [z.number().max(100), 101, 'This may be at most 100.'],
    [z.boolean(), 'yes', 'This must be true or false.'],
    [z.array(z.string()).min(1), [], 'At least one is needed.'],
    [z.array(z.string()).max(1), ['a', 'b'], 'At most 1 are allowed.'],
    [z.enum(['a', 'b']), 'c', 'Please use one of these: a, b.'],
    [z.union([z.string(), z.boolean()]), 7, 'This is not valid.'],
  ])('%# in plain words', (schema, value, message) => {
    expect(errorsOf(z.object({ field: schema }), { field: value })).toEqual({ field: [message] });
  });

  it('is in the contract’s own words where it has some', () => {
    const schema = z.object({ name: z.string('A name is required').min(2, 'A name has two letters') });
    expect(errorsOf(schema, {})).toEqual({ name: ['A name is required'] });
    expect(errorsOf(schema, { name: 'a' })).toEqual({ name: ['A name has two letters'] });
  });

  it('names the request when it is no object at all', () => {
    expect(errorsOf(z.object({}), 'text')).toEqual({ request: ['This must be an object with fields.'] });
    expect(errorsOf(z.strictObject({}), { extra: 1 })).toEqual({ request: ['Unknown: extra.'] });
  });

  it.each([3_000, 100_000])('names what there is too much of in %i levels, or as many values', (many) => {
    const nested: unknown = JSON.parse(`${'['.repeat(many)}${']'.repeat(many)}`);
    const objects: unknown = JSON.parse(`${'{"a":'.repeat(many)}1${'}'.repeat(many)}`);
    for (const deep of [nested, objects, { name: nested }]) {
      expect(errorsOf(z.any(), deep)).toEqual({ request: [expect.stringContaining('nested too deeply')] });
    }
    const wide = Array.from({ length: 2 * many }, () => 0);
    expect(errorsOf(z.any(), { wide })).toEqual({ request: [expect.stringContaining('too many parts')] });
  });
});
