import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { isoDay, isoMinute } from '../../../lib/dates.js';
import { labels } from '../../../lib/labels.js';
import { titlesText, whatHappened } from './event-words.js';
import type { History } from './history.js';
import styles from './printed-history.module.css';

/** The whole history on paper: nobody sees it on the screen. The browser prints it, or makes a PDF of it. */
export function PrintedHistory({ history, onDone }: { history: History; onDone: () => void }) {
  const { reader, events } = history;
  const [printedAt] = useState(() => Date.now());
  useEffect(() => {
    window.addEventListener('afterprint', onDone);
    // After the sheet is there; the dialog keeps the page waiting.
    const timer = window.setTimeout(() => window.print());
    return () => {
      window.clearTimeout(timer);
      window.removeEventListener('afterprint', onDone);
    };
  }, [onDone]);
  const [first, last] = [events[0], events.at(-1)];
  return createPortal(
    <div className={styles.sheet} data-printed>
      <header className={styles.head}>
        <p>{labels.title}: borrow history, from the event log</p>
        <h1>{reader.fullname}</h1>
        <p>
          Reader {reader.id}. Events 1 to {events.length}
          {first && last && `, ${isoDay(first.occurredAt)} to ${isoDay(last.occurredAt)}`}. Printed{' '}
          {isoMinute(printedAt)}.
        </p>
      </header>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">№</th>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Books</th>
            <th scope="col">Who</th>
            <th scope="col">Rules</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event, index) => (
            <tr key={event.revision}>
              <td>{index + 1}</td>
              <td>{isoMinute(event.occurredAt)}</td>
              <td>{whatHappened(event)}</td>
              <td>{titlesText(event.titles)}</td>
              <td>{event.actor.name}</td>
              <td>{event.policyVersion ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>,
    document.body,
  );
}
