import type { CSSProperties } from 'react';
import styles from './rolling-number.module.css';

const grouped = new Intl.NumberFormat('en-US');

/**
 * A counter whose digits roll to a new value. Its exact number is the text of the element marked `data-value`; the
 * digits that are seen are drawn by the style sheet, so that the page's text holds the number once.
 */
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
            <span key={letters.length - index} className={styles.mark} data-mark={letter} />
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
      <span className={styles.reel} style={style} />
    </span>
  );
}
