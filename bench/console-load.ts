import { Console, type ConsolePlan, type Rows, type Seen } from './console.js';

/** An event that consoles are told of, as the event store wrote it. */
export interface ToldEvent {
  position: string;
  /** Milliseconds since 1970. */
  stored: number;
  /** Of which copies were taken or put back. */
  bookIds: number[];
}

export type LoadOrder =
  | { kind: 'open'; url: string; consoles: ConsolePlan[] }
  /** Cuts so many connections that were drawn by lot, without a word to the server. */
  | { kind: 'cut'; connections: number }
  | { kind: 'judge'; events: ToldEvent[]; rows: Rows };

export type LoadAnswer =
  | { kind: 'opened'; ms: number[] }
  | { kind: 'cut' }
  /** Once the events have been told. */
  | ({ kind: 'judged' } & Judgement);

/** What the consoles of one process saw. */
export interface Judgement {
  /** Milliseconds from the event to the message, of each console that was told of it. */
  borrows: number[];
  copies: number[];
  /** Connections that came back. */
  returns: number;
  refetches: number;
  /** Consoles whose borrows or copies are not those of the rows. */
  wrong: number;
}

const OPENING_AT_ONCE = 25;

/** Consoles as the client keeps them, without the drawing: run it in a process of its own. */
export function runConsoleLoad(): void {
  const consoles: Console[] = [];
  const seen: Seen = { borrows: new Map(), copies: new Map() };
  const answer = (message: LoadAnswer) => process.send?.(message);
  process.on('message', (order: LoadOrder) => {
    if (order.kind === 'open') {
      void openAll(order, consoles, seen).then((ms) => answer({ kind: 'opened', ms }));
    } else if (order.kind === 'cut') {
      for (let cut = 0; cut < order.connections; cut += 1) {
        consoles[Math.floor(Math.random() * consoles.length)]?.cut();
      }
      answer({ kind: 'cut' });
    } else answer({ kind: 'judged', ...judge(order, consoles, seen) });
  });
  process.once('disconnect', () => {
    for (const each of consoles) each.close();
  });
}

async function openAll(
  { url, consoles: plans }: Extract<LoadOrder, { kind: 'open' }>,
  consoles: Console[],
  seen: Seen,
): Promise<number[]> {
  const took: number[] = [];
  const left = [...plans];
  const openOneByOne = async () => {
    for (let plan = left.pop(); plan; plan = left.pop()) {
      const began = performance.now();
      const opened = new Console(url, plan, seen);
      consoles.push(opened);
      await opened.hello;
      took.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openOneByOne));
  return took;
}

function judge(
  { events, rows }: Extract<LoadOrder, { kind: 'judge' }>,
  consoles: readonly Console[],
  seen: Seen,
): Judgement {
  const messages = [...seen.copies.values()].sort((a, b) => Number(a.position - b.position));
  return {
    borrows: events.flatMap(({ position, stored }) =>
      (seen.borrows.get(position) ?? []).map((at) => at - stored),
    ),
    copies: events.flatMap(({ position, stored, bookIds }) =>
      bookIds.flatMap((bookId) => {
        const told = messages.find(
          (each) => each.position >= BigInt(position) && each.bookIds.includes(bookId),
        );
        return (told?.at ?? []).map((at) => at - stored);
      }),
    ),
    returns: consoles.reduce((sum, each) => sum + each.returns, 0),
    refetches: consoles.reduce((sum, each) => sum + each.refetches, 0),
    wrong: consoles.filter((each) => !each.agrees(rows)).length,
  };
}
