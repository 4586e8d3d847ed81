import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BORROW_EVENTS } from '#contracts/borrowing/borrow-events.js';
import { CATEGORIES } from '#contracts/event-log/categories.js';
import { eventMetadataSchema, type EventEntry } from '#contracts/event-entry.js';
import { UnreadableEvent, upcast } from './upcast.js';

interface Sample {
  type: string;
  data: unknown;
  metadata: { schemaVersion: number };
}

const folder = join(import.meta.dirname, 'samples');
const sample = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Sample;

/** Of all categories: an event has one name and one shape, wherever it lies. */
const EVENTS: Record<string, EventEntry> = Object.assign(
  {},
  ...Object.values(CATEGORIES).map(({ events }) => events),
);

describe('reading stored events', () => {
  it.each(
    Object.entries(EVENTS).flatMap(([type, { version }]) =>
      Array.from({ length: version }, (_, n) => [type, n + 1] as const),
    ),
  )('reads the recorded %s of version %i as the current one', (type, version) => {
    const recorded = sample(`${type}.v${version}.json`);
    expect(recorded).toMatchObject({ type, metadata: { schemaVersion: version } });
    expect(eventMetadataSchema.safeParse(recorded.metadata).success).toBe(true);
    const data = upcast(type, version, recorded.data, EVENTS);
    if (version === EVENTS[type]?.version) expect(data).toEqual(recorded.data);
  });

  it('has no sample without a version, and a step for every version but the current', () => {
    for (const name of readdirSync(folder)) {
      const [type = '', version] = name.replace('.json', '').split('.v');
      expect(Number(version)).toBeLessThanOrEqual(EVENTS[type]?.version ?? 0);
    }
    for (const entry of Object.values(EVENTS)) {
      expect(entry.upcasters?.length ?? 0).toBe(entry.version - 1);
    }
  });

  it('goes through every step from an old version', () => {
    const { data } = sample('BorrowExpired.v2.json');
    const { expiredAt, ...rest } = data as { expiredAt: string };
    const upcasters = [
      (old: Record<string, unknown>) => ({ ...old, when: old['at'] }),
      ({ when, ...old }: Record<string, unknown>) => ({ ...old, expiredAt: when }),
    ];
    const third = { ...BORROW_EVENTS.BorrowExpired, version: 3 };
    const known = { BorrowExpired: { ...third, upcasters } };
    expect(upcast('BorrowExpired', 1, { ...rest, at: expiredAt }, known)).toEqual(data);
    expect(() => upcast('BorrowExpired', 1, rest, { BorrowExpired: { ...third, upcasters: [] } })).toThrow(
      /no step from version 1/,
    );
  });

  it('refuses an unknown type, a newer version and data that do not hold, naming them', () => {
    const { data } = sample('BooksIssued.v1.json');
    expect(() => upcast('BooksLost', 1, data, EVENTS)).toThrow(UnreadableEvent);
    expect(() => upcast('BooksIssued', 4, data, EVENTS)).toThrow(/versions up to 3/);
    expect(() => upcast('BooksIssued', 1, { ...(data as object), dueDate: 'soon' }, EVENTS)).toThrow(
      /dueDate/,
    );
  });
});
