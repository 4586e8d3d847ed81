import type { CSSProperties } from 'react';
import { inGroups } from '../../lib/texts.js';

/**
 * A counter whose digits roll to a new value. Its exact number is the text of the element marked `data-value`; the
 * digits that are seen are drawn by the style sheet, so that the page's text holds the number once.
 */
export function RollingNumber({ value }: { value: number }) {
  const letters = [...inGroups(value)];
  return (
    <span className="relative inline-block tabular-nums lining-nums leading-[1.1]">
      <span className="visually-hidden" data-value>
        {value}
      </span>
      <span className="inline-flex" aria-hidden="true">
        {letters.map((letter, index) =>
          // Counted from the right, so that units stay units when a digit is added in front.
          /\d/.test(letter) ? (
            <Digit key={letters.length - index} digit={Number(letter)} />
          ) : (
            <span
              key={letters.length - index}
              className="before:content-[attr(data-mark)]"
              data-mark={letter}
            />
          ),
        )}
      </span>
    </span>
  );
}

function Digit({ digit }: { digit: number }) {
  const style = { '--digit': digit } as CSSProperties;
  return (
    <span className="inline-block h-[1.1em] overflow-hidden">
      <span className="digit-reel" style={style} />
    </span>
  );
}
