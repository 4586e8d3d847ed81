import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BorrowDetails, BorrowStep } from '#contracts/borrowing/borrow-details.js';
import type { Undoable } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../../components/form/button.js';
import { isoDay, isoMinute, relativeTime } from '../../../lib/dates.js';
import { useNow } from '../../../lib/use-now.js';
import { groszeOf } from '#contracts/money.js';
import { eventText, eventLabels } from '../event-labels.js';
import { undoStep } from '../undo-steps.js';
import { WAIVER_LABELS } from '../waiver-labels.js';
import styles from './borrow-drawer.module.css';

/** What happened to a borrow, the latest first. */
export function BorrowTimeline({ details: { borrow, steps } }: { details: BorrowDetails }) {
  const now = useNow(true);
  return (
    <section className="[&_h3]:mb-3 [&_h3]:text-3" aria-labelledby="what-happened">
      <h3 id="what-happened">What happened</h3>
      <ol role="list" aria-live="polite" aria-relevant="additions">
        {[...steps].reverse().map((step) => (
          <Step key={step.revision} borrow={borrow} step={step} now={now} />
        ))}
      </ol>
    </section>
  );
}

function Step({ borrow, step, now }: { borrow: BorrowView; step: BorrowStep; now: number }) {
  const { revision, type, at, by, byPerson, amount, dueDate, reason } = step;
  const undo = borrow.undo.find((each) => each.revision === revision && Date.parse(each.until) > now);
  const { icon: Icon, tone } = eventLabels(type);
  const words = eventText({ type, amount: amount === null ? null : groszeOf(amount) });
  return (
    <li className={styles.step} data-event={type}>
      <span
        className="flex-none grid place-items-center size-7 rounded-[50%] [background:var(--tone-wash,var(--sunk))] [color:var(--tone,var(--ink-soft))]"
        data-tone={tone === 'plain' ? undefined : tone}
      >
        <Icon size={14} aria-hidden="true" />
      </span>
      <div>
        <p className="leading-[1.75rem]">
          {words}
          {dueDate !== null && <span className="quiet">, due {isoDay(dueDate)}</span>}
          {reason !== null && <span className="quiet">, {WAIVER_LABELS[reason].toLowerCase()}</span>}
        </p>
        <p className="note">
          <time dateTime={at} title={isoMinute(at)}>
            {isoMinute(at)}, {relativeTime(at, now)}
          </time>
          {byPerson ? `, by ${by}` : ', by the library'}
        </p>
      </div>
      {undo && <UndoButton borrow={borrow} revision={revision} what={undo.what} words={words} />}
    </li>
  );
}

interface UndoButtonProps {
  borrow: BorrowView;
  revision: number;
  what: Undoable;
  words: string;
}

/** Takes back what happened, for the ten minutes in which that is possible. */
function UndoButton({ borrow, revision, what, words }: UndoButtonProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  return (
    <Button
      size="small"
      className="flex-none self-start ml-auto"
      busy={busy}
      aria-label={`Undo: ${words}`}
      onClick={() => {
        setBusy(true);
        void undoStep(client, { borrow, what }, revision).finally(() => setBusy(false));
      }}
    >
      Undo
    </Button>
  );
}
