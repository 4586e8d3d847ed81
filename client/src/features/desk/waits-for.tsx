import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { standingOf } from '../../domain/holds/hold-texts.js';
import { ReserveTitle } from '../../domain/holds/reserve-title.js';
import styles from './desk-screen.module.css';

/** What the reader at the desk waits for, and a way to wait for more. What is kept for them is to be handed over. */
export function WaitsFor({ panel: { reader, holds } }: { panel: ReaderPanel }) {
  const waiting = holds.filter(({ state }) => state !== 'Ready');
  const [reserving, setReserving] = useState(false);
  return (
    <section className={styles.readerPart} aria-labelledby="waits-for">
      <h4 id="waits-for">Waits for</h4>
      <ul role="list">
        {waiting.map((hold) => (
          <li key={hold.id} className={styles.kept} data-waits-for={hold.bookId}>
            <SmallCover bookId={hold.bookId} title={hold.title} />
            <span>
              <Link to={`/admin/holds/${hold.bookId}`}>{hold.title}</Link>
              <span className="note"> {standingOf(hold, 'desk')}</span>
            </span>
          </li>
        ))}
      </ul>
      <Button size="small" className="mt-2" onClick={() => setReserving(true)}>
        Reserve a title
      </Button>
      {reserving && <ReserveTitle reader={reader} onClose={() => setReserving(false)} />}
    </section>
  );
}
