import type { CSSProperties } from 'react';
import styles from './rolling-number.module.css';

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const grouped = new Intl.NumberFormat('en-US');

/** A counter whose digits roll to a new value. Its exact number is in the element marked `data-value`. */
export function RollingNumber({ value }: { value: number }) {
  const letters = [...grouped.format(value)];
  return (
    <span className={styles.number}>
      <span className="visually-hidden" data-value>
        {value}
      </span>
      <span className={styles.digits} aria-hidden="true">
        {letters.map((letter, index) =>
          // Counted from the right, so that units stay units when a digit is added in front.
          /\d/.test(letter) ? (
            <Digit key={letters.length - index} digit={Number(letter)} />
          ) : (
            <span key={letters.length - index}>{letter}</span>
          ),
        )}
      </span>
    </span>
  );
}

function Digit({ digit }: { digit: number }) {
  const style = { '--digit': digit } as CSSProperties;
  return (
    <span className={styles.window}>
      <span className={styles.reel} style={style}>
        {DIGITS.map((each) => (
          <span key={each}>{each}</span>
        ))}
      </span>
    </span>
  );
}
