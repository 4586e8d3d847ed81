import * as m from '#words/messages.js';
import { useLocation } from 'react-router-dom';
import {
  ACTIVITIES,
  HOLD_ACTIVITIES,
  INSIGHTS,
  USUAL_WAIT,
  type Activity,
  type HoldActivity,
  type Insight,
} from '#contracts/insight/insight.js';
import { addDays } from '#contracts/local-day.js';
import { isoDay } from '../../lib/dates.js';
import {
  oneOf,
  pageParameter,
  useAddress,
  writeAddress,
  type ChangeAddress,
  type Parameter,
} from '../../lib/use-address.js';

/** What the address of a question says. Without days it is of the last twelve months. */
export interface InsightAddress {
  part: Insight;
  from: string | null;
  to: string | null;
  /** Days that nobody is to wait longer. */
  within: number;
  /** The figure whose events are listed, if some are: what happened, and to which books or when. */
  what: Activity | HoldActivity | null;
  bookId: number | null;
  genreId: number | null;
  hour: number | null;
  pageNumber: number;
}

const day = (name: string): Parameter<string | null> => ({
  name,
  read: (text) => (/^\d{4}-\d\d-\d\d$/.test(text ?? '') ? text : null),
  write: (text) => text ?? '',
  level: 1,
});

const number = (name: string): Parameter<number | null> => ({
  name,
  read: (text) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : null),
  write: (value) => (value === null ? '' : String(value)),
  level: 2,
  step: true,
});

const ADDRESS: { [Key in keyof InsightAddress]: Parameter<InsightAddress[Key]> } = {
  part: { ...oneOf('part', INSIGHTS, 'titles'), step: true, level: 1 },
  from: day('from'),
  to: day('to'),
  within: {
    name: 'within',
    read: (text) => (/^[1-9]\d{0,2}$/.test(text ?? '') && Number(text) <= 365 ? Number(text) : USUAL_WAIT),
    write: (days) => (days === USUAL_WAIT ? '' : String(days)),
    level: 1,
  },
  what: {
    name: 'what',
    read: (text) => [...ACTIVITIES, ...HOLD_ACTIVITIES].find((happening) => happening === text) ?? null,
    write: (happening) => happening ?? '',
    level: 2,
    step: true,
  },
  bookId: number('book'),
  genreId: number('genre'),
  hour: number('hour'),
  pageNumber: { ...pageParameter, level: 3 },
};

export const useInsightAddress = (): [InsightAddress, ChangeAddress<InsightAddress>] => useAddress(ADDRESS);

/** The address of a question, for a link. */
export function useAddressOf(): (changes: Partial<InsightAddress>) => string {
  const [address] = useInsightAddress();
  return (changes) =>
    `?${writeAddress(ADDRESS, {
      ...address,
      what: null,
      bookId: null,
      genreId: null,
      hour: null,
      pageNumber: 1,
      ...changes,
    })}`;
}

/** Whether it is asked in the admin area, where a borrow opens beside the screen. */
export const useIsInAdminArea = () => useLocation().pathname.startsWith('/admin');

/** The last twelve months, this day included. */
export function usualSpan(): { from: string; to: string } {
  const to = isoDay(Date.now());
  return { from: addDays(yearBefore(to), 1), to };
}

/** The same day of the year before; of a 29 February, the 28th. */
function yearBefore(today: string): string {
  const before = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`;
  return before.endsWith('02-29') ? before.replace('-29', '-28') : before;
}

/** The spans that have a name. */
export function namedSpans(): { value: string; label: string; from: string; to: string }[] {
  const { from, to } = usualSpan();
  const year = Number(to.slice(0, 4));
  return [
    { value: 'month', label: m.common_span_last_30_days(), from: addDays(to, -29), to },
    { value: 'year', label: m.common_span_last_12_months(), from, to },
    { value: 'this', label: m.common_span_this_year({ year }), from: `${year}-01-01`, to },
    {
      value: 'before',
      label: m.common_span_year_before({ year: year - 1 }),
      from: `${year - 1}-01-01`,
      to: `${year - 1}-12-31`,
    },
  ];
}
