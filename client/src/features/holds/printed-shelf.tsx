import { useState } from 'react';
import type { ShelfHold } from '#contracts/holds/hold-views.js';
import { Printed, printedBox, printedTable } from '../../components/display/printed.js';
import { holdShelfFor } from '../../domain/borrowing/held-for.js';
import { labels } from '../../domain/labels.js';
import { isoMinute } from '../../lib/dates.js';
import { byDay } from './by-day.js';

/** What waits on the shelf, on paper, to be gone through with a pencil. */
export function PrintedShelf({ holds, onDone }: { holds: readonly ShelfHold[]; onDone: () => void }) {
  const [at] = useState(() => Date.now());
  return (
    <Printed
      over={labels.title}
      title="Waiting on the shelf"
      lead={`${holds.length === 1 ? '1 book' : `${holds.length} books`}. Printed ${isoMinute(at)}.`}
      onDone={onDone}
    >
      <table className={printedTable}>
        <thead>
          <tr>
            {['There', 'Until', 'Shelf', 'For', 'Title', 'Copy'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byDay(holds).flatMap(({ day, holds: ofDay }) =>
            ofDay.map(({ id, user, title, copy }) => (
              <tr key={id}>
                <td>
                  <span className={printedBox} />
                </td>
                <td className="unbroken">{day}</td>
                <td>{holdShelfFor(user.fullname)}</td>
                <td>{user.fullname}</td>
                <td>{title}</td>
                <td className="unbroken">{copy?.code}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Printed>
  );
}
