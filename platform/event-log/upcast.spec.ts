import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CATEGORIES } from '#contracts/event-log/categories.js';
import type { EventEntry } from '#contracts/event-entry.js';
import { UnreadableEvent, upcast } from './upcast.js';

/** Data of every event as version 1 was stored. One that has become another version still has to be read from it. */
const FIRST = JSON.parse(readFileSync(join(import.meta.dirname, 'samples.json'), 'utf8')) as Record<
  string,
  unknown
>;

/** Of all categories: an event has one name and one shape, wherever it lies. */
const EVENTS: Record<string, EventEntry> = Object.assign(
  {},
  ...Object.values(CATEGORIES).map(({ events }) => events),
);

/** Version 1 had no room and named the place `shelf`, version 2 named it `mark`. */
const RENAMED = {
  BookShelved: {
    version: 3,
    upcasters: [({ shelf, ...data }) => ({ ...data, mark: shelf }), (data) => ({ ...data, room: 'main' })],
    data: z.object({ bookId: z.int(), mark: z.string(), room: z.string() }),
  },
} satisfies Record<string, EventEntry>;

describe('reading stored events', () => {
  it('has a sample of every event, and none of another', () => {
    expect(Object.keys(FIRST).sort()).toEqual(Object.keys(EVENTS).sort());
  });

  it.each(Object.entries(EVENTS))('reads %s as it was stored first', (type, { version }) => {
    const data = upcast(type, 1, FIRST[type], EVENTS);
    if (version === 1) expect(data).toEqual(FIRST[type]);
  });

  it('has a step for every version but the current', () => {
    for (const entry of Object.values(EVENTS)) {
      expect(entry.upcasters?.length ?? 0).toBe(entry.version - 1);
    }
  });

  it('goes through every step from an old version', () => {
    const current = { bookId: 7, mark: 'A 12', room: 'main' };
    expect(upcast('BookShelved', 1, { bookId: 7, shelf: 'A 12' }, RENAMED)).toEqual(current);
    expect(upcast('BookShelved', 2, { bookId: 7, mark: 'A 12' }, RENAMED)).toEqual(current);
    expect(upcast('BookShelved', 3, current, RENAMED)).toEqual(current);
    const without = { BookShelved: { ...RENAMED.BookShelved, upcasters: [] } };
    expect(() => upcast('BookShelved', 1, current, without)).toThrow(/no step from version 1/);
  });

  it('refuses an unknown type, a newer version and data that do not hold, naming them', () => {
    expect(() => upcast('BooksLost', 1, {}, EVENTS)).toThrow(UnreadableEvent);
    expect(() => upcast('BookShelved', 4, {}, RENAMED)).toThrow(/versions up to 3/);
    expect(() => upcast('BookShelved', 1, { bookId: 'seven', shelf: 'A 12' }, RENAMED)).toThrow(/bookId/);
  });
});
