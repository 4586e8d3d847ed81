import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { ExportEvent, ExportHeader } from '#contracts/audit/history-export.js';
import type { LoggedEvent } from '#platform/event-log/event-log.js';
import { forAll, forAllInTime } from '../../test-support/arbitraries/for-all.js';
import { canonicalJson, exportLines, hashOfEvent, hashOfHeader } from './history-chain.js';
import { checkExport, type LoggedHistory } from './check-export.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';

function recorded(revision: number): LoggedEvent {
  return {
    id: randomUUID(),
    type: 'FineCharged',
    category: 'borrows',
    key: READER,
    revision: BigInt(revision),
    position: { commit: BigInt(revision * 3), prepare: BigInt(revision * 3) },
    created: new Date(1_770_000_000_000 + revision * 1000),
    data: { borrowId: randomUUID(), amount: 50 + revision, books: [{ title: 'Źdźbło 𝄞' }] },
    metadata: { actor: 'overdue', schemaVersion: 1, $correlationId: `c-${revision}` },
  };
}

function logOf(events: readonly LoggedEvent[]): LoggedHistory {
  return {
    async *events(_readerId, from, to) {
      for (const event of events)
        if (event.revision >= BigInt(from) && event.revision <= BigInt(to)) yield event;
    },
    lastRevision: async () => events.length - 1,
  };
}

async function exported(events: readonly LoggedEvent[]): Promise<string[]> {
  const part = { library: 'Test', readerId: READER, from: 0, to: events.length - 1, exportedAt: new Date(0) };
  const lines: string[] = [];
  for await (const line of exportLines(part, logOf(events).events(READER, 0, events.length - 1))) {
    lines.push(line.slice(0, -1));
  }
  return lines;
}

const asLines = (lines: readonly string[]) =>
  async function* () {
    yield* lines;
  };

/** Makes the chain anew over whatever the lines are now, as somebody would who knows the format. */
function rechained(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines;
  const header = JSON.parse(first) as ExportHeader;
  let hash = hashOfHeader(header);
  let count = 0;
  return [
    JSON.stringify({ ...header, firstHash: hash }),
    ...rest.map((line) => {
      const value = JSON.parse(line) as ExportEvent;
      if ((value.kind as string) === 'footer')
        return JSON.stringify({ kind: 'footer', count, finalHash: hash });
      hash = hashOfEvent(hash, value);
      count += 1;
      return JSON.stringify({ ...value, hash });
    }),
  ];
}

const change = (
  line: string,
  edit: (value: { data: { amount: number; extra?: number } }) => void,
): string => {
  const value = JSON.parse(line) as { data: { amount: number } };
  edit(value);
  return JSON.stringify(value);
};

describe('checking an export', () => {
  const events = Array.from({ length: 8 }, (_, revision) => recorded(revision));
  let lines: string[];
  const check = (given: readonly string[], log = logOf(events)) => checkExport(asLines(given), log);
  /** The lines with those from `at` on replaced. Line 0 is the header, line n is event n - 1. */
  const with_ = (at: number, remove: number, ...insert: string[]) => lines.toSpliced(at, remove, ...insert);
  const line = (at: number) => lines[at] ?? '';

  beforeAll(async () => {
    lines = await exported(events);
  });

  it('finds nothing in one that is whole, and says what came since', async () => {
    expect(await check(lines)).toMatchObject({ ok: true, events: 8, since: 0 });
    const grown = logOf([...events, recorded(8), recorded(9)]);
    expect(await check(lines, grown)).toMatchObject({ ok: true, events: 8, since: 2 });
    expect(await check(await exported([]), logOf([]))).toMatchObject({ ok: true, events: 0, since: 0 });
  });

  it.each([
    ['as it is', (given: string[]) => given],
    ['with the chain made anew', rechained],
  ])('names what was done to it, %s', async (_how, made) => {
    const fault = async (given: string[]) => {
      const result = await check(made(given));
      return result.ok ? undefined : result.fault;
    };
    const amended = change(line(4), ({ data }) => (data.amount = 1));
    expect(await fault(with_(4, 1, amended))).toMatchObject({
      ...{ kind: 'changed', revision: 3, field: 'data.amount' },
      what: 'event 3 (FineCharged) was changed: data.amount is 1 in the file and 53 in the log',
    });
    const grown = change(line(4), ({ data }) => (data.extra = 1));
    expect(await fault(with_(4, 1, grown))).toMatchObject({ kind: 'changed', field: 'data.extra' });
    const foreign = JSON.stringify({ ...(JSON.parse(line(4)) as object), id: randomUUID() });
    expect(await fault(with_(4, 1, foreign))).toMatchObject({ kind: 'changed', revision: 3, field: 'id' });
    for (const [given, kind, revision] of [
      [with_(4, 1), 'removed', 3],
      [with_(8, 1), 'removed', 7],
      [with_(1, 1), 'removed', 0],
      [with_(4, 2, line(5), line(4)), 'reordered', 4],
      [with_(4, 0, line(3)), 'added', 2],
      [with_(9, 0, line(8)), 'added', 7],
      [with_(4, 0, line(7)), 'added', 6],
      [with_(4, 0, foreign), 'added', 3],
    ] as const)
      expect(await fault(given)).toMatchObject({ kind, revision });
  });

  it('names an event that was taken out and the rest counted anew', async () => {
    const rest = lines.slice(5, 9).map((text) => {
      const value = JSON.parse(text) as ExportEvent;
      return JSON.stringify({ ...value, revision: value.revision - 1 });
    });
    const result = await check(rechained([...lines.slice(0, 4), ...rest, line(9)]));
    expect(result).toMatchObject({ ok: false, fault: { kind: 'removed', revision: 3 } });
  });

  it('names where it was cut off, between lines or within one', async () => {
    expect(await check(lines.slice(0, 5))).toMatchObject({ ok: false, fault: { kind: 'truncated' } });
    expect(await check(lines.slice(0, 9))).toMatchObject({ ok: false, fault: { kind: 'truncated' } });
    expect(await check([...lines.slice(0, 5), line(5).slice(0, 40)])).toMatchObject({
      ok: false,
      fault: { kind: 'truncated', what: 'the file ends in the middle of line 6' },
    });
    expect(await check([])).toMatchObject({ ok: false, fault: { kind: 'truncated' } });
  });

  it('names a changed header, footer, hash or line, and what comes after the end', async () => {
    const text = async (given: string[]) => {
      const result = await check(given);
      return result.ok ? '' : `${result.fault.kind}: ${result.fault.what}`;
    };
    expect(await text(with_(0, 1, line(0).replace('Test', 'Text')))).toMatch(
      /^changed: the header was changed/,
    );
    expect(await text(with_(0, 1, line(0).replace('"version":1', '"version":2')))).toMatch(/version/);
    expect(await text(with_(9, 1, line(9).replace('"count":8', '"count":9')))).toMatch(
      /^changed: the footer was changed: count is 9/,
    );
    expect(await text(with_(5, 1, line(5).replace(/"hash":"...../, '"hash":"00000')))).toMatch(
      /^changed: event 4 was changed: hash is/,
    );
    expect(await text(with_(5, 1, 'no JSON'))).toBe('changed: line 6 was changed: it is no JSON');
    expect(await text([...lines, line(8)])).toMatch(/^added: line 11 comes after the footer/);
  });

  it('does not take a history for another reader’s, or a log that lost events for a whole one', async () => {
    expect(await check(lines, logOf(events.map((_, revision) => recorded(revision))))).toMatchObject({
      ok: false,
      fault: { kind: 'changed', revision: 0, field: 'id' },
    });
    expect(await check(lines, logOf(events.slice(0, 5)))).toMatchObject({
      ok: false,
      fault: { kind: 'added' },
    });
  });

  it('finds any one character that was changed', async () => {
    const bytes = lines.join('\n');
    await forAllInTime(
      [fc.nat(bytes.length - 1), fc.constantFrom('0', 'z', '"', '}', ' ')],
      { numRuns: 300 },
      async (at, put) => {
        fc.pre(bytes[at] !== put);
        const given = (bytes.slice(0, at) + put + bytes.slice(at + 1)).split('\n');
        const result = await check(given);
        // White space between the values says nothing and is no part of what is hashed.
        const same =
          given.length === lines.length && given.every((text, index) => sameJson(text, lines[index] ?? ''));
        expect(result.ok).toBe(same);
      },
    );
  });
});

function sameJson(a: string, b: string): boolean {
  try {
    return canonicalJson(JSON.parse(a)) === canonicalJson(JSON.parse(b));
  } catch {
    return false;
  }
}

describe('canonical JSON', () => {
  it('is one text for one value', () => {
    expect(
      canonicalJson({ b: [1, { d: null, c: 'ż\n"' }], a: 1e21, '\u20ac': true, A: -0, z: undefined }),
    ).toBe('{"A":0,"a":1e+21,"b":[1,{"c":"ż\\n\\"","d":null}],"€":true}');
    expect(() => canonicalJson({ a: NaN })).toThrow(TypeError);
  });

  it('does not depend on the order of keys, and reads back as the same value', () => {
    forAll([fc.jsonValue()], {}, (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(canonicalJson(backwards(value))).toBe(text);
    });
  });
});

function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner)]),
  );
}
