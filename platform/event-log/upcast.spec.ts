import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  BORROW_EVENTS,
  BORROW_EVENT_TYPES,
  eventMetadataSchema,
  type BorrowEventType,
  type EventEntry,
} from '#contracts/borrowing/borrow-events.js';
import { UnreadableEvent, upcast } from './upcast.js';

interface Sample {
  type: BorrowEventType;
  data: unknown;
  metadata: { schemaVersion: number };
}

const folder = join(import.meta.dirname, 'samples');
const sample = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Sample;

describe('reading stored events', () => {
  it.each(
    BORROW_EVENT_TYPES.flatMap((type) =>
      Array.from({ length: BORROW_EVENTS[type].version }, (_, n) => [type, n + 1] as const),
    ),
  )('reads the recorded %s of version %i as the current one', (type, version) => {
    const recorded = sample(`${type}.v${version}.json`);
    expect(recorded.metadata.schemaVersion).toBe(version);
    expect(eventMetadataSchema.safeParse(recorded.metadata).success).toBe(true);
    const event = upcast(recorded.type, version, recorded.data);
    expect(event.type).toBe(type);
    if (version === BORROW_EVENTS[type].version) expect(event.data).toEqual(recorded.data);
  });

  it('has no sample without a version, and a step for every version but the current', () => {
    for (const name of readdirSync(folder)) {
      const [type, version] = name.replace('.json', '').split('.v') as [BorrowEventType, string];
      expect(Number(version)).toBeLessThanOrEqual(BORROW_EVENTS[type].version);
    }
    for (const entry of Object.values<EventEntry>(BORROW_EVENTS))
      expect(entry.upcasters?.length ?? 0).toBe(entry.version - 1);
  });

  it('goes through every step from an old version', () => {
    const { data } = sample('BorrowExpired.v1.json');
    const { expiredAt, ...rest } = data as { expiredAt: string };
    const upcasters = [
      (old: Record<string, unknown>) => ({ ...old, when: old['at'] }),
      ({ when, ...old }: Record<string, unknown>) => ({ ...old, expiredAt: when }),
    ];
    const third = { ...BORROW_EVENTS.BorrowExpired, version: 3 };
    const known = { BorrowExpired: { ...third, upcasters } };
    expect(upcast('BorrowExpired', 1, { ...rest, at: expiredAt }, known).data).toEqual(data);
    expect(() => upcast('BorrowExpired', 1, rest, { BorrowExpired: third })).toThrow(
      /no step from version 1/,
    );
  });

  it('refuses an unknown type, a newer version and data that do not hold, naming them', () => {
    const { data } = sample('BooksIssued.v1.json');
    expect(() => upcast('BooksLost', 1, data)).toThrow(UnreadableEvent);
    expect(() => upcast('BooksIssued', 2, data)).toThrow(/versions up to 1/);
    expect(() => upcast('BooksIssued', 1, { ...(data as object), dueDate: 'soon' })).toThrow(/dueDate/);
  });
});
