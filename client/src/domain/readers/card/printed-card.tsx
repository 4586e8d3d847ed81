import type { Card } from '#contracts/accounts/own-card.js';
import { PrintedSheet } from '../../../components/printed-sheet.js';
import { CardFace } from './card-face.js';
import styles from './print-card.module.css';

interface PrintedCardProps {
  card: Card;
  name: string;
  paper: 'a4' | 'card';
  onDone: () => void;
}

/** A card on paper: on a blank of its size, or on a sheet to be cut. */
export function PrintedCard({ card, name, paper, onDone }: PrintedCardProps) {
  return (
    <PrintedSheet paper={paper} onDone={onDone}>
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
  );
}
