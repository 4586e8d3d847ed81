import { Link } from 'react-router-dom';
import type { DashboardStats } from '#contracts/dashboard/stats.js';
import { RollingNumber } from '../../components/display/rolling-number.js';
import { Skeleton } from '../../components/list/skeleton.js';
import styles from './counters.module.css';

/** The counters in the specification's order, each with the list of exactly what it counts. */
const COUNTERS: readonly { counter: keyof DashboardStats; title: string; to: string }[] = [
  { counter: 'totalBooks', title: 'Total books', to: '/admin/books' },
  {
    counter: 'booksBorrowedLastMonth',
    title: 'Books borrowed last month',
    to: '/admin/borrows?only=RentedLastMonth',
  },
  {
    counter: 'booksAddedLastMonth',
    title: 'New books in last month',
    to: '/admin/books?only=AddedLastMonth',
  },
  { counter: 'totalUsers', title: 'Users', to: '/admin/users' },
  { counter: 'activeBorrows', title: 'Active borrows', to: '/admin/borrows?only=Active' },
  { counter: 'expiredRents', title: 'Expired rent of books', to: '/admin/borrows?status=Expired' },
];

/** @param stats undefined while loading */
export function Counters({ stats }: { stats: DashboardStats | undefined }) {
  return (
    <ul
      role="list"
      className="grid grid-cols-6 mb-10 double-rule border-b border-b-line to-1180:grid-cols-3 phone:grid-cols-2 phone:mb-6"
    >
      {COUNTERS.map(({ counter, title, to }) => (
        <li key={counter} className={styles.counter} data-counter={counter}>
          <p className="font-serif text-4 tracking-[-0.02em] leading-[1.2]">
            {stats ? <RollingNumber value={stats[counter]} /> : <Skeleton width="3ch" />}
          </p>
          <h3 className="text-ink-soft font-sans text-1 font-medium tracking-[0] leading-[1.3]">
            <Link to={to} className={styles.link}>
              {title}
            </Link>
          </h3>
        </li>
      ))}
    </ul>
  );
}
