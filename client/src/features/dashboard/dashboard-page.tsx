import { Link } from 'react-router-dom';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { ErrorState } from '../../components/error-state.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { RollingNumber } from '../../components/rolling-number.js';
import { Skeleton } from '../../components/skeleton.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './dashboard-page.module.css';
import { useStats } from './get-stats.js';

interface Card {
  counter: keyof DashboardStats;
  title: string;
  /** The list behind the number, where there is one. */
  to?: string;
}

const CARDS: readonly Card[] = [
  { counter: 'activeBorrows', title: 'Active borrows', to: '/admin/borrows' },
  { counter: 'expiredRents', title: 'Expired rent of books', to: '/admin/borrows?status=Expired' },
  { counter: 'booksBorrowedLastMonth', title: 'Books borrowed last month' },
  { counter: 'totalBooks', title: 'Total books', to: '/admin/books' },
  { counter: 'booksAddedLastMonth', title: 'New books in last month' },
  { counter: 'totalUsers', title: 'Users' },
];

export function DashboardPage() {
  usePageTitle('Dashboard');
  const stats = useStats();
  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.title}>Dashboard</h2>
        <LiveBadge />
      </header>
      {stats.isError && !stats.data ? (
        <ErrorState error={stats.error} onRetry={() => void stats.refetch()} retrying={stats.isFetching} />
      ) : (
        <ul role="list" className={styles.cards}>
          {CARDS.map((card) => (
            <li key={card.counter} className={styles.card} data-counter={card.counter}>
              <h3 className={styles.name}>
                {card.to ? (
                  <Link to={card.to} className={styles.link}>
                    {card.title}
                  </Link>
                ) : (
                  card.title
                )}
              </h3>
              <p className={styles.value}>
                {stats.data ? <RollingNumber value={stats.data[card.counter]} /> : <Skeleton width="3ch" />}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
