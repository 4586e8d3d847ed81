import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { useOwnHolds } from '../../domain/holds/get-holds.js';
import { HoldList } from '../../domain/holds/hold-list.js';

/** What the reader waits for. What is kept for them is rented. @param above the rents that are shown above */
export function OwnHolds({ above }: { above: readonly string[] }) {
  const holds = useOwnHolds();
  const waiting = holds.data?.filter(({ borrowId }) => borrowId === null || !above.includes(borrowId));
  return (
    <section aria-labelledby="own-holds" aria-busy={holds.isPending}>
      <header className="flex items-baseline flex-wrap gap-x-4 gap-y-0 mb-2 pb-1 border-b border-line-strong">
        <h2 id="own-holds">My holds</h2>
      </header>
      {waiting ? (
        waiting.length === 0 ? (
          <p className="quiet">
            You wait for no {holds.data?.length ? 'other ' : ''}title. Where every copy is lent, choose
            “Reserve” on its page.
          </p>
        ) : (
          <HoldList holds={waiting} to="owner" />
        )
      ) : holds.isError ? (
        <ErrorState error={holds.error} onRetry={() => void holds.refetch()} retrying={holds.isFetching} />
      ) : (
        <Skeleton width="70%" />
      )}
    </section>
  );
}
