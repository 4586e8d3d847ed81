import { useState } from 'react';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import part from '../../components/display/page-part.module.css';
import { HoldList } from '../../domain/holds/hold-list.js';
import { ReserveTitle } from '../../domain/holds/reserve-title.js';

/** What the reader waits for. What is kept for them is rented, and among what they have now. */
export function HoldsSection({ panel: { reader, holds } }: { panel: ReaderPanel }) {
  const [reserving, setReserving] = useState(false);
  const waiting = holds.filter(({ state }) => state !== 'Ready');
  return (
    <section aria-labelledby="reader-holds" data-holds-of={reader.id}>
      <div className={part.titleRow}>
        <h3 id="reader-holds">Waits for</h3>
        <Button size="small" onClick={() => setReserving(true)}>
          Reserve a title
        </Button>
      </div>
      {waiting.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">This reader waits for no title.</p>
      ) : (
        <HoldList holds={waiting} to="desk" />
      )}
      {reserving && <ReserveTitle reader={reader} onClose={() => setReserving(false)} />}
    </section>
  );
}
