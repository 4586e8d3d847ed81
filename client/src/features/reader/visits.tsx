import { useCallback, useState } from 'react';
import type { Reader } from '#contracts/accounts/account-views.js';
import type { Visit } from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import part from '../../components/display/page-part.module.css';
import { PrintedSlip } from '../../domain/readers/slip/printed-slip.js';
import { SlipPaperChoice } from '../../domain/readers/slip/slip-paper-choice.js';
import styles from './reader-page.module.css';

/** The days on which the reader was at the desk; of each a slip can be printed. */
export function Visits({ visits, reader }: { visits: readonly Visit[]; reader: Reader }) {
  const [printed, setPrinted] = useState<Visit | null>(null);
  const done = useCallback(() => setPrinted(null), []);
  return (
    <section aria-labelledby="visits">
      <header className={part.titleRow}>
        <h3 id="visits">Last visits</h3>
        {visits.length > 0 && <SlipPaperChoice />}
      </header>
      {visits.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">This reader was not at the desk yet.</p>
      ) : (
        <ol role="list">
          {visits.map((visit) => (
            <li key={visit.day} className={styles.visit} data-visit={visit.day}>
              <time dateTime={visit.day}>{visit.day}</time>
              <p>{wordsOf(visit)}</p>
              <Button
                size="small"
                look="plain"
                aria-label={`Print slip of ${visit.day}`}
                onClick={() => setPrinted(visit)}
              >
                Print slip
              </Button>
            </li>
          ))}
        </ol>
      )}
      {printed && <PrintedSlip visit={printed} reader={reader} onDone={done} />}
    </section>
  );
}

function wordsOf({ issued, returned }: Visit): string {
  const titles = (handed: Visit['issued']) => handed.flatMap((each) => each.titles).join(', ');
  const parts = [
    issued.length > 0 && `took ${titles(issued)}`,
    returned.length > 0 && `brought back ${titles(returned)}`,
  ];
  return parts.filter(Boolean).join('; ');
}
