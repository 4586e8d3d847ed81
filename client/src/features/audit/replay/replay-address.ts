import { READER_EVENT_TYPES } from '#contracts/holds/hold-events.js';
import { oneOf, useAddress, type ChangeAddress, type Parameter } from '../../../lib/use-address.js';
import type { Proportion } from './chart/scale.js';

export type ReplayTab = 'replay' | 'looks';

/** What a link to a replay says. */
export interface ReplayAddress {
  /** The number of the event whose state is shown, 0 before the first; null: the end, also as it grows. */
  at: number | null;
  borrowId: string | null;
  kind: string | null;
  proportion: Proportion;
  tab: ReplayTab;
}

/** A text of this form; null where there is none. A change is a step that Back undoes. */
const textLike = (name: string, form: RegExp): Parameter<string | null> => ({
  name,
  read: (text) => (form.test(text ?? '') ? text : null),
  write: (text) => text ?? '',
  step: true,
});

const number = textLike('at', /^\d{1,9}$/);

/** Moments, filters and tabs are steps that Back undoes; how the chart is drawn is not. */
export const REPLAY_ADDRESS: { [Key in keyof ReplayAddress]: Parameter<ReplayAddress[Key]> } = {
  at: {
    ...number,
    read: (text) => (number.read(text) === null ? null : Number(text)),
    write: (at) => (at === null ? '' : String(at)),
  },
  borrowId: textLike('borrow', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  kind: textLike('kind', new RegExp(`^(${READER_EVENT_TYPES.join('|')})$`)),
  proportion: oneOf('by', ['time', 'events'], 'time'),
  tab: { ...oneOf('tab', ['replay', 'looks'], 'replay'), step: true },
};

export const useReplayAddress = (): [ReplayAddress, ChangeAddress<ReplayAddress>] =>
  useAddress(REPLAY_ADDRESS);
