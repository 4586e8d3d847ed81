import styles from './trial-answer.module.css';
import { difference, inMoney } from './words.js';

interface FeesCellsProps {
  /** In grosze. */
  fees: { readonly real: number; readonly tried: number };
  /** What the column of the real ones is called. */
  real: string;
}

/** Fees of a row: as they were, as they would have been, and by how much they differ. */
export function FeesCells({ fees, real }: FeesCellsProps) {
  return (
    <>
      <td role="cell" className={styles.number} data-label={real}>
        {inMoney(fees.real)}
      </td>
      <td role="cell" className={styles.number} data-label="Under these rules">
        {inMoney(fees.tried)}
      </td>
      <td role="cell" className={styles.number} data-label="Difference">
        {difference(fees, inMoney)}
      </td>
    </>
  );
}
