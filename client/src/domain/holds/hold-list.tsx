import { Link } from 'react-router-dom';
import type { HoldView } from '#contracts/holds/hold-views.js';
import { WithDays } from '../../components/with-days.js';
import { SmallCover } from '../covers/small-cover.js';
import { HoldActions } from './hold-actions.js';
import { HoldBadge } from './hold-badge.js';
import styles from './hold-list.module.css';
import { standingOf } from './hold-words.js';

interface HoldListProps {
  holds: readonly HoldView[];
  /** Who looks at them: their reader, or a librarian. */
  to: 'owner' | 'desk';
}

/** What a reader waits for: what is kept for him first, and loud. */
export function HoldList({ holds, to }: HoldListProps) {
  return (
    <ul role="list" className={styles.holds}>
      {holds.map((hold) => (
        <li key={hold.id} className={styles.hold} data-hold={hold.id} data-state={hold.state}>
          <SmallCover bookId={hold.bookId} title={hold.title} className={styles.cover} />
          <div className={styles.words}>
            <p className={styles.title}>
              <Link to={to === 'owner' ? `/book/${hold.bookId}` : `/admin/holds/${hold.bookId}`}>
                {hold.title}
              </Link>
            </p>
            <p className={styles.standing}>
              <WithDays text={standingOf(hold, to)} />
            </p>
            {hold.neededUntil !== null && hold.state !== 'Ready' && (
              <p className="note">
                <WithDays text={`No longer needed after ${hold.neededUntil}`} />
              </p>
            )}
          </div>
          <HoldBadge state={hold.state} />
          <div className={styles.actions}>
            <HoldActions hold={hold} />
          </div>
        </li>
      ))}
    </ul>
  );
}
