import { lazy, Suspense } from 'react';
import { Navigate } from 'react-router-dom';
import { ButtonLink } from '../../components/button.js';
import { useUser } from '../../lib/session.js';
import { titleCase } from '../../lib/title-case.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './profile-page.module.css';
import { ReaderCard } from './reader-card.js';

// On its way with the page; what is around it is drawn meanwhile.
const loading = import('./own-card.js');
const OwnCardSection = lazy(async () => ({ default: (await loading).OwnCardSection }));
const loadingHistory = import('./borrow-history.js');
const BorrowHistory = lazy(async () => ({ default: (await loadingHistory).BorrowHistory }));

export function ProfilePage() {
  usePageTitle('My profile');
  const user = useUser();
  if (!user) return <Navigate to="/login" replace />;
  return (
    <div className={styles.page}>
      <section className={styles.welcome}>
        <div>
          <h1>Welcome back, {titleCase(user.username)}</h1>
          <p className={styles.lead}>
            Find your next book on the shelves, and follow the ones that you have.
          </p>
        </div>
        <ButtonLink to="/catalog" look="primary">
          Browse Books
        </ButtonLink>
      </section>
      <div className={styles.cardPlace}>
        <Suspense fallback={null}>
          <OwnCardSection readerId={user.id} />
        </Suspense>
      </div>
      <ReaderCard readerId={user.id} />
      <Suspense fallback={null}>
        <BorrowHistory readerId={user.id} />
      </Suspense>
    </div>
  );
}
