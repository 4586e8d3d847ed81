import type { ListColumn } from '../../../components/list/table.js';
import { difference, inMoney } from './labels.js';

interface Fees {
  /** In grosze. */
  readonly real: number;
  readonly simulated: number;
}

/** Fees of a row: as they were, as they would have been, and by how much they differ. @param real what the first are called */
export const feesColumns = (real: string): ListColumn<Fees>[] => [
  { title: real, look: 'number', cell: (fees) => inMoney(fees.real) },
  { title: 'Under these rules', look: 'number', cell: (fees) => inMoney(fees.simulated) },
  { title: 'Difference', look: 'number', cell: (fees) => difference(fees, inMoney) },
];
