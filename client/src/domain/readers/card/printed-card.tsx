import type { Card } from '#contracts/accounts/own-card.js';
import * as m from '#words/messages.js';
import { PrintedSheet } from '../../../components/display/printed-sheet.js';
import { CardFace } from './card-face.js';

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
        <div className="[font:9pt_/_1.35_var(--sans)]">
          <div
            // The line lies outside the card: it needs a place on the sheet.
            className="w-fit m-[0.5mm] [outline:0.25mm_dashed_#777]"
          >
            <CardFace card={card} name={name} />
          </div>
          <p className="mt-[3mm] [color:#444]">{m.card_cut()}</p>
        </div>
      )}
    </PrintedSheet>
  );
}
