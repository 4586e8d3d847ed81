import { readStored, writeStored } from '../../../lib/browser-storage.js';
import { createStore, useStore } from '../../../lib/store.js';

export const SLIP_PAPERS = [
  { value: 'roll80', label: '80 mm' },
  { value: 'roll58', label: '58 mm' },
  { value: 'a4', label: 'A4' },
] as const;
type SlipPaper = (typeof SLIP_PAPERS)[number]['value'];

const KEY = 'slipPaper';
const kept = readStored(KEY);
const paper = createStore<SlipPaper>(SLIP_PAPERS.find(({ value }) => value === kept)?.value ?? 'roll80');

/** What slips are printed on at this desk: its printer stays the same. */
export function useSlipPaper(): { paper: SlipPaper; choose: (paper: SlipPaper) => void } {
  return {
    paper: useStore(paper),
    choose: (chosen) => {
      writeStored(KEY, chosen);
      paper.set(chosen);
    },
  };
}
