import { useCallback, useState } from 'react';
import type { Card } from '#contracts/accounts/reader-card.js';
import { Button } from '../../../components/button.js';
import { PrintedSheet, type Paper } from '../../../components/printed-sheet.js';
import { CardFace } from './card-face.js';
import styles from './print-card.module.css';

/** Prints a card: on a blank of its size, or on a sheet to be cut. */
export function PrintCard({ card, name }: { card: Card; name: string }) {
  const [paper, setPaper] = useState<Paper | null>(null);
  const done = useCallback(() => setPaper(null), []);
  return (
    <>
      <Button size="small" onClick={() => setPaper('a4')}>
        Print on A4
      </Button>
      <Button size="small" look="plain" onClick={() => setPaper('card')}>
        Print on a card
      </Button>
      {paper && (
        <PrintedSheet paper={paper} onDone={done}>
          {paper === 'card' ? (
            <CardFace card={card} name={name} />
          ) : (
            <div className={styles.sheet}>
              <div className={styles.cut}>
                <CardFace card={card} name={name} />
              </div>
              <p className={styles.words}>Cut along the line. It has the size of a bank card.</p>
            </div>
          )}
        </PrintedSheet>
      )}
    </>
  );
}
