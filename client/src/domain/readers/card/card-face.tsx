import { spacedCardNumber } from '#contracts/accounts/card-number.js';
import type { Card } from '#contracts/accounts/own-card.js';
import * as m from '#words/messages.js';
import { libraryTitle } from '../../library.js';
import styles from './card-face.module.css';
import { classNames } from '../../../lib/class-names.js';

/** More letters of a name than three lines of the usual size take. */
const LONG = 45;

/** A reader's card as it looks in the hand: of the size of a credit card, black on white wherever it is printed. */
export function CardFace({ card, name }: { card: Card; name: string }) {
  return (
    <div
      className={classNames('group/card', styles.card)}
      data-card={card.blockedAt === null ? 'valid' : 'blocked'}
    >
      <p className="flex items-baseline justify-between gap-[3cqi] p-[6cqi] pt-[4cqi] pb-0 font-serif [font-size:5.4cqi] leading-[1.2] [&>:first-child]:min-w-0 [&>:first-child]:truncate">
        <span>{libraryTitle}</span>
        <span className="flex-none [color:#4d453b] font-sans [font-size:3.4cqi]">{m.card_title()}</span>
      </p>
      <p
        // However long, it leaves the bars and the number their place.
        className="line-clamp-3 self-center min-h-0 mx-[6cqi] font-serif [font-size:7.4cqi] font-medium leading-[1.15] wrap-anywhere data-long:[-webkit-line-clamp:4] data-long:[font-size:5.2cqi]"
        data-long={name.length > LONG || undefined}
      >
        {name}
      </p>
      <Barcode
        bars={card.bars}
        text={card.number}
        className="block w-[88%] h-[16cqi] my-0 mx-auto group-data-[card=blocked]/card:opacity-25"
      />
      <p className="pt-[1cqi] pb-[3.4cqi] [font-size:4.2cqi] tabular-nums font-medium tracking-[0.08em] leading-[1.3] text-center">
        {spacedCardNumber(card.number)}
      </p>
    </div>
  );
}

/** Modules of white that a scanner needs on either side (ISO/IEC 15417). */
const QUIET_ZONE = 10;

interface BarcodeProps {
  /** Widths of bars and spaces in modules, bars first. */
  bars: readonly number[];
  /** What it says. */
  text: string;
  className?: string | undefined;
}

/** Code 128 as a drawing: black on white in any theme, as wide and high as its place. */
function Barcode({ bars, text, className }: BarcodeProps) {
  let x = QUIET_ZONE;
  let path = '';
  for (const [at, width] of bars.entries()) {
    if (at % 2 === 0) path += `M${x} 0h${width}v1h-${width}z`;
    x += width;
  }
  const width = x + QUIET_ZONE;
  return (
    <svg
      viewBox={`0 0 ${width} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={m.card_barcode({ number: text })}
      className={className}
    >
      <rect width={width} height="1" fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
