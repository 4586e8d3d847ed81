import { READER_KINDS, type ReaderKind } from '#contracts/rules/kinds.js';
import type { TrialAnswer } from '#contracts/rules/what-if.js';

/** A figure as it was, and as it would have been. */
export interface Compared {
  real: number;
  tried: number;
}

type OfKinds = Record<ReaderKind, Compared>;

/** Late fees of a span by month and kind of reader, in grosze. */
export class FeesByMonth {
  private readonly months = new Map<string, OfKinds>();

  /** Both `yyyy-MM`, the last one included. */
  constructor(first: string, last: string) {
    for (let month = first; month <= last; month = nextMonth(month)) this.months.set(month, none());
  }

  add(world: keyof Compared, month: string, kind: ReaderKind, amount: number): void {
    const fees = this.months.get(month)?.[kind];
    if (fees) fees[world] += amount;
  }

  ofMonths(): TrialAnswer['months'] {
    return [...this.months].map(([month, kinds]) => ({
      month,
      ...sumOf(Object.values(kinds)),
      kinds: READER_KINDS.map((kind) => ({ kind, ...kinds[kind] })).filter(
        ({ real, tried }) => real > 0 || tried > 0,
      ),
    }));
  }

  ofKind(kind: ReaderKind): Compared {
    return sumOf([...this.months.values()].map((kinds) => kinds[kind]));
  }
}

/** @param month `yyyy-MM` */
export function nextMonth(month: string): string {
  const year = Number(month.slice(0, 4));
  const next = Number(month.slice(5)) + 1;
  return next > 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${month.slice(0, 5)}${String(next).padStart(2, '0')}`;
}

function sumOf(all: readonly Compared[]): Compared {
  return all.reduce((sum, { real, tried }) => ({ real: sum.real + real, tried: sum.tried + tried }), {
    real: 0,
    tried: 0,
  });
}

function none(): OfKinds {
  return Object.fromEntries(READER_KINDS.map((kind) => [kind, { real: 0, tried: 0 }])) as OfKinds;
}
