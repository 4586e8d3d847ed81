import { ErrorState } from '../../components/error-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { useOwnHolds } from '../../domain/holds/get-holds.js';
import { HoldList } from '../../domain/holds/hold-list.js';
import styles from './own-card.module.css';

/** What the reader waits for. */
export function OwnHolds() {
  const holds = useOwnHolds();
  const ready = holds.data?.filter(({ state }) => state === 'Ready').length ?? 0;
  return (
    <section aria-labelledby="own-holds" aria-busy={holds.isPending}>
      <header className={styles.head}>
        <h2 id="own-holds">My holds</h2>
        {ready > 0 && (
          <p className={styles.ready} role="status">
            {ready === 1 ? '1 waits for you' : `${ready} wait for you`}
          </p>
        )}
      </header>
      {holds.data ? (
        holds.data.length === 0 ? (
          <p className="quiet">
            You wait for no title. Where every copy is lent, choose “Reserve” on its page.
          </p>
        ) : (
          <HoldList holds={holds.data} to="owner" />
        )
      ) : holds.isError ? (
        <ErrorState error={holds.error} onRetry={() => void holds.refetch()} retrying={holds.isFetching} />
      ) : (
        <Skeleton width="70%" />
      )}
    </section>
  );
}
