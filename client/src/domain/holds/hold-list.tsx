import * as m from '#words/messages.js';
import { Link } from 'react-router-dom';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { SmallCover } from '../covers/small-cover.js';
import { HoldActions, HoldBadge } from './hold-actions.js';
import styles from './hold-list.module.css';
import { standingOf } from './hold-texts.js';
import { classNames } from '../../lib/class-names.js';

interface HoldListProps {
  holds: readonly HoldView[];
  /** Who looks at them: their reader, or a librarian. */
  to: 'owner' | 'desk';
}

/** What a reader waits for: what is kept for them first, and loud. */
export function HoldList({ holds, to }: HoldListProps) {
  return (
    <ul
      role="list"
      className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto_auto] gap-x-4 to-1100:grid-cols-[3.5rem_minmax(0,1fr)_auto] phone:gap-x-3"
    >
      {holds.map((hold) => (
        <li
          key={hold.id}
          className={classNames('group/hold', styles.hold)}
          data-hold={hold.id}
          data-state={hold.state}
        >
          <SmallCover bookId={hold.bookId} title={hold.title} className="w-8 phone:self-start" />
          <div className="min-w-0">
            <p className="[&_a]:text-ink [&_a]:font-serif [&_a]:text-3 [&_a]:leading-tight [&_a]:no-underline [&_a]:wrap-anywhere [&_a:hover]:underline">
              <Link to={to === 'owner' ? `/book/${hold.bookId}` : `/admin/holds/${hold.bookId}`}>
                {hold.title}
              </Link>
            </p>
            <p className="text-ink-soft text-1 tabular-nums group-data-[state=Ready]/hold:text-returned group-data-[state=Ready]/hold:text-2 group-data-[state=Ready]/hold:font-semibold">
              <NonBreakingDates text={standingOf(hold, to)} />
            </p>
            {hold.neededUntil !== null && hold.state !== 'Ready' && (
              <p className="note">
                <NonBreakingDates text={m.holds_not_needed_after({ day: hold.neededUntil })} />
              </p>
            )}
          </div>
          <HoldBadge state={hold.state} />
          <div className="flex flex-wrap justify-end gap-2 to-1100:col-[2_/_-1] to-1100:justify-start phone:col-span-full phone:[&>button]:flex-1 phone:[&>button]:px-2">
            <HoldActions hold={hold} />
          </div>
        </li>
      ))}
    </ul>
  );
}
