import { Link } from 'react-router-dom';
import type { Today } from '#contracts/dashboard/today.js';
import { LAPSED_SHOWN_DAYS } from '#contracts/holds/hold-views.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { classNames } from '../../lib/class-names.js';
import styles from './work-lists.module.css';

/** Holds in figures, each a way to its list. @param holds undefined while loading */
export function HoldsToday({ holds }: { holds: Today['holds'] | undefined }) {
  return (
    <section className="mb-6" data-work="holds" aria-labelledby="work-holds">
      <header className="flex items-baseline gap-2 min-h-9 pb-1 border-b border-line-strong">
        <h3 id="work-holds" className="text-3">
          Holds
        </h3>
      </header>
      {holds ? (
        <ul role="list">
          <Figure name="onShelf" to="/admin/holds" words={onShelfText(holds)} isLoud={holds.lastDay > 0} />
          <Figure name="notCollected" to="/admin/holds?list=lapsed" words={notCollectedText(holds)} />
          <Figure name="waiting" words={waitingText(holds)} />
        </ul>
      ) : (
        <div className="py-2 text-ink-soft text-1 grid gap-3" aria-busy="true">
          <Skeleton width="50%" />
        </div>
      )}
    </section>
  );
}

interface FigureProps {
  name: keyof Today['holds'];
  words: [sentence: string, more?: string];
  /** The list that it counts. */
  to?: string;
  isLoud?: boolean;
}

function Figure({ name, words: [sentence, more], to, isLoud }: FigureProps) {
  return (
    <li
      className="flex items-center justify-between gap-3 min-h-10.5 border-b border-line text-1 [&_a]:text-ink [&_a]:[text-decoration-color:var(--line-strong)]"
      data-holds={name}
    >
      {to === undefined ? sentence : <Link to={to}>{sentence}</Link>}
      {more !== undefined && <span className={classNames(styles.words, isLoud && styles.loud)}>{more}</span>}
    </li>
  );
}

function onShelfText({ onShelf, lastDay }: Today['holds']): FigureProps['words'] {
  if (onShelf === 0) return ['No reserved copy waits to be collected'];
  const kept =
    onShelf === 1
      ? '1 reserved copy waits for its reader'
      : `${onShelf} reserved copies wait for their readers`;
  return lastDay === 0 ? [kept] : [kept, `${lastDay} for the last day`];
}

function notCollectedText({ notCollected }: Today['holds']): FigureProps['words'] {
  const within = `in ${LAPSED_SHOWN_DAYS} days`;
  if (notCollected === 0) return ['Everything that was reserved was collected', within];
  return [notCollected === 1 ? '1 was not collected' : `${notCollected} were not collected`, within];
}

function waitingText({ waiting }: Today['holds']): FigureProps['words'] {
  if (waiting === 0) return ['No reader waits for a title'];
  return [waiting === 1 ? '1 hold waits for a copy' : `${waiting} holds wait for a copy`];
}
