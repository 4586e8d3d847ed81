import { Navigate } from 'react-router-dom';
import type { Reader } from '#contracts/accounts/account-views.js';
import { ButtonLink } from '../../components/button.js';
import { ErrorState } from '../../components/error-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { isoDay } from '../../lib/dates.js';
import { useUser } from '../../lib/session.js';
import { titleCase } from '../../lib/title-case.js';
import { usePageTitle } from '../../lib/use-page-title.js';
import { BorrowHistory } from './borrow-history.js';
import { useProfile } from './get-profile.js';
import styles from './profile-page.module.css';

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
      <ReaderCard readerId={user.id} />
      <BorrowHistory readerId={user.id} />
    </div>
  );
}

function ReaderCard({ readerId }: { readerId: string }) {
  const profile = useProfile(readerId);
  if (profile.isError && !profile.data) {
    return (
      <ErrorState
        error={profile.error}
        onRetry={() => void profile.refetch()}
        retrying={profile.isFetching}
      />
    );
  }
  const facts = factsOf(profile.data);
  return (
    <section className={styles.card} aria-label="Your details" aria-busy={profile.isPending}>
      <h2 className={styles.name}>{profile.data?.fullname ?? <Skeleton width="10rem" />}</h2>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton width="6rem" />}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function factsOf(reader: Reader | undefined): [string, string | undefined][] {
  return [
    ['Date of birth', reader?.dateOfBirth],
    ['Reader since', reader && isoDay(reader.created)],
    ['Username', reader?.userName],
    ['Gender', reader?.gender],
    ['Country', reader?.country],
    ['City', reader?.city],
    ['Address', reader?.adress],
    ['Postal code', reader?.postalCode],
  ];
}
