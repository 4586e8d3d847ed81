import { useState } from 'react';
import type { Reader } from '#contracts/accounts/account-views.js';
import { Button } from '../../components/button.js';
import { ErrorState } from '../../components/error-state.js';
import part from '../../components/page-part.module.css';
import { SkeletonLines } from '../../components/skeleton.js';
import { useHoldsOf } from '../../domain/holds/get-holds.js';
import { HoldList } from '../../domain/holds/hold-list.js';
import { ReserveTitle } from '../../domain/holds/reserve-title.js';
import styles from './reader-page.module.css';

/** What the reader waits for. What is kept for him is rented, and among what he has now. */
export function HoldsSection({ reader }: { reader: Pick<Reader, 'id' | 'fullname'> }) {
  const holds = useHoldsOf(reader.id);
  const [reserving, setReserving] = useState(false);
  const waiting = holds.data?.filter(({ state }) => state !== 'Ready');
  return (
    <section aria-labelledby="reader-holds" data-holds-of={reader.id}>
      <div className={part.titleRow}>
        <h3 id="reader-holds">Waits for</h3>
        <Button size="small" onClick={() => setReserving(true)}>
          Reserve a title
        </Button>
      </div>
      {waiting ? (
        waiting.length === 0 ? (
          <p className={styles.none}>This reader waits for no title.</p>
        ) : (
          <HoldList holds={waiting} to="desk" />
        )
      ) : holds.isError ? (
        <ErrorState error={holds.error} onRetry={() => void holds.refetch()} retrying={holds.isFetching} />
      ) : (
        <SkeletonLines label="Loading what the reader waits for" widths={[70, 50]} />
      )}
      {reserving && <ReserveTitle reader={reader} onClose={() => setReserving(false)} />}
    </section>
  );
}
