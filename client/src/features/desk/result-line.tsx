import { BookmarkCheck, CircleAlert, CircleCheck, CircleX, Info, type LucideIcon } from 'lucide-react';
import type { DeskLine, DeskMode } from './desk-lines.js';
import styles from './desk-screen.module.css';
import { LineActions } from './line-actions.js';
import { classNames } from '../../lib/class-names.js';

const ICONS: Record<DeskLine['tone'], LucideIcon> = {
  good: CircleCheck,
  heed: CircleAlert,
  kept: BookmarkCheck,
  refused: CircleX,
  plain: Info,
};

interface ResultLineProps {
  line: DeskLine | undefined;
  mode: DeskMode;
  /** Scans that are not finished, and whether the library does not answer them. */
  waiting: number;
  isAway: boolean;
  onPay: (line: DeskLine) => void;
}

/** What became of the last scan, so large that it is read from where one stands. */
export function ResultLine({ line, mode, waiting, isAway, onPay }: ResultLineProps) {
  const Icon = line ? ICONS[line.tone] : undefined;
  return (
    <section
      className={classNames('group/result', styles.result)}
      data-result={line?.tone ?? 'none'}
      aria-label="Result"
    >
      <div role="status" aria-atomic="true" className="flex gap-4">
        {line && Icon ? (
          <>
            <Icon
              className={classNames(
                'size-12',
                'group-data-[result=good]/result:text-returned group-data-[result=heed]/result:text-issued',
                'group-data-[result=kept]/result:text-rented group-data-[result=refused]/result:text-not-paid',
                'phone:size-8',
              )}
              aria-hidden="true"
            />
            <div className="min-w-0 wrap-anywhere">
              <p className={styles.headline}>{withWholeDays(line.headline)}</p>
              <p className={styles.what}>{whatOf(line)}</p>
              {line.details.map((detail) => (
                <p key={detail} className={styles.detail}>
                  {detail}
                </p>
              ))}
            </div>
          </>
        ) : (
          <p className="self-center text-ink-soft font-serif text-4 leading-[1.2]">
            {mode === 'hand-over'
              ? 'Scan a reader’s card, then the books.'
              : 'Scan the books that were brought, one after the other.'}
          </p>
        )}
      </div>
      {line && <LineActions line={line} onPay={onPay} look="large" />}
      <p role="status" className={styles.waiting} data-away={isAway || undefined}>
        {waitingText(waiting, isAway)}
      </p>
    </section>
  );
}

/** A day is not broken at its hyphens. */
function withWholeDays(words: string) {
  return words.split(/(\d{4}-\d\d-\d\d)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}

function waitingText(waiting: number, isAway: boolean): string {
  const scans = waiting === 1 ? '1 scan waits' : `${waiting} scans wait`;
  if (isAway)
    return `The library does not answer. ${scans}, and will be sent in order as soon as it does: nothing is lost.`;
  return waiting > 1 ? `${scans}.` : '';
}

/** The book and the reader, whichever the headline does not say. */
function whatOf({ book, person, headline, text }: DeskLine): string {
  const parts = [book?.title, person?.fullname === headline ? undefined : person?.fullname].filter(Boolean);
  return parts.length > 0 ? parts.join(' · ') : text === headline ? '' : text;
}
