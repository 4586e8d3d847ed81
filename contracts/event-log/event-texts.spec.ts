import { z } from 'zod';
import { CATEGORIES } from './categories.js';

type Schema = z.core.JSONSchema.BaseSchema;

/** The names of fields whose text could be anything. */
function freeTexts(schema: Schema, name = ''): string[] {
  const { type, properties = {}, items, additionalProperties, anyOf = [] } = schema;
  if ([type].flat().includes('string'))
    return ['enum', 'const', 'format', 'pattern'].some((each) => each in schema) ? [] : [name];
  const within = [items, additionalProperties, ...anyOf].flat();
  return [
    ...Object.entries(properties).flatMap(([field, of]) => freeTexts(of as Schema, field)),
    ...within.flatMap((of) => (typeof of === 'object' ? freeTexts(of, name) : [])),
  ];
}

describe('the log', () => {
  /**
   * Whoever is told of events is told all of this without a reader’s name being asked for. A reason, a note or the name of a device
   * could name a person: such a text is a row beside the log, or a code.
   */
  it('has no text that somebody wrote, but what stands on books, and names of programs', () => {
    const events = Object.values(CATEGORIES).flatMap(({ events }) => Object.values(events));
    const found = events.flatMap(({ data }) => freeTexts(z.toJSONSchema(data, { io: 'input' })));
    expect([...new Set(found)].sort()).toEqual([
      ...['provider', 'shelfMark', 'timeZone', 'title', 'transactionId'],
    ]);
    expect(events.length).toBeGreaterThan(30);
  });

  it('would be told apart from one that has', () => {
    const note = z.object({ lines: z.array(z.union([z.null(), z.object({ note: z.string() })])) });
    expect(freeTexts(z.toJSONSchema(note))).toEqual(['note']);
    expect(freeTexts(z.toJSONSchema(z.object({ by: z.record(z.string(), z.string()) })))).toEqual(['by']);
  });
});
