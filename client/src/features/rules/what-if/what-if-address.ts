import { addDays } from '#contracts/local-day.js';
import { isoDay } from '../../../lib/dates.js';
import { useAddress, type ChangeAddress, type Parameter } from '../../../lib/use-address.js';

/** What the address says: of which rules and days somebody thinks, and which trial is shown. */
export interface WhatIfAddress {
  /** The draft or the version that the form begins with; without either, the rules that are in force. */
  draft: string | null;
  version: number | null;
  /** Without days, the year up to yesterday. */
  from: string | null;
  to: string | null;
  /** Without one, the trial that was asked for last. */
  simulation: string | null;
}

const textLike = (name: string, pattern: RegExp): Parameter<string | null> => ({
  name,
  read: (text) => (pattern.test(text ?? '') ? text : null),
  write: (text) => text ?? '',
});

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d\d-\d\d$/;

const ADDRESS: { [Key in keyof WhatIfAddress]: Parameter<WhatIfAddress[Key]> } = {
  draft: textLike('draft', ID),
  version: {
    name: 'version',
    read: (text) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : null),
    write: (version) => (version === null ? '' : String(version)),
  },
  from: textLike('from', DAY),
  to: textLike('to', DAY),
  simulation: { ...textLike('trial', ID), step: true },
};

export const useWhatIfAddress = (): [WhatIfAddress, ChangeAddress<WhatIfAddress>] => useAddress(ADDRESS);

/** The year up to yesterday: only days that are over are tried. */
export function usualSpan(): { from: string; to: string } {
  const today = isoDay(Date.now());
  return { from: addDays(today, -365), to: addDays(today, -1) };
}

/** The spans that have a name. */
export function namedSpans(): { value: string; label: string; from: string; to: string }[] {
  const { from, to } = usualSpan();
  const year = Number(to.slice(0, 4));
  return [
    { value: 'year', label: 'The last 12 months', from, to },
    { value: 'quarter', label: 'The last 90 days', from: addDays(to, -89), to },
    { value: 'this', label: `This year, ${year}`, from: `${year}-01-01`, to },
    { value: 'before', label: `Last year, ${year - 1}`, from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
  ];
}
