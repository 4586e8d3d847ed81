import { spacedCardNumber } from '#contracts/accounts/card-number.js';
import type { Card } from '#contracts/accounts/own-card.js';
import { labels } from '../../labels.js';
import { Barcode } from './barcode.js';
import styles from './card-face.module.css';

/** More letters of a name than three lines of the usual size take. */
const LONG = 45;

/** A reader's card as it looks in the hand: of the size of a credit card, black on white wherever it is printed. */
export function CardFace({ card, name }: { card: Card; name: string }) {
  return (
    <div className={styles.card} data-card={card.blockedAt === null ? 'valid' : 'blocked'}>
      <p className={styles.library}>
        <span>{labels.title}</span>
        <span className={styles.kind}>Library card</span>
      </p>
      <p className={styles.name} data-long={name.length > LONG || undefined}>
        {name}
      </p>
      <Barcode bars={card.bars} text={card.number} className={styles.bars} />
      <p className={styles.number}>{spacedCardNumber(card.number)}</p>
    </div>
  );
}
