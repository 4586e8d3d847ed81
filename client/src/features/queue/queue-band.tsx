import { Keyboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import styles from './queue-band.module.css';

/**
 * Stays at the lower edge of the window: what can be done with the list as a whole, and beside it the place where results
 * are told, so that they cover no row.
 */
export function QueueBand({ onKeys, children }: { onKeys: () => void; children: ReactNode }) {
  return (
    <div className={styles.band} data-toast-band>
      <div className={styles.left}>{children}</div>
      <Button size="small" look="plain" className={styles.keys} onClick={onKeys}>
        <Keyboard size={16} aria-hidden="true" />
        Keys <kbd className={styles.key}>?</kbd>
      </Button>
    </div>
  );
}
