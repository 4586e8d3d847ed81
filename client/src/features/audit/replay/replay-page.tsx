import { Navigate, useParams } from 'react-router-dom';
import { ErrorState } from '../../../components/error-state.js';
import { Skeleton } from '../../../components/skeleton.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { readerPathSchema } from '#contracts/audit/audit-events.js';
import { useHistory } from './history/get-history.js';
import styles from './replay-page.module.css';
import { ReplayScreen } from './replay-screen.js';

/** How everything that a reader ever borrowed came to be, event by event. */
export function ReplayPage() {
  const path = readerPathSchema.safeParse(useParams());
  if (!path.success) return <Navigate to="/not-found" replace />;
  return <ReplayOf key={path.data.readerId} readerId={path.data.readerId} />;
}

function ReplayOf({ readerId }: { readerId: string }) {
  const history = useHistory(readerId);
  usePageTitle(history.data ? `${history.data.reader.fullname}, audit` : 'Audit');
  if (history.data) return <ReplayScreen readerId={readerId} history={history.data} />;
  return (
    <div className={styles.page}>
      {history.isError ? (
        <>
          <h1 className={styles.name}>Audit</h1>
          <ErrorState
            error={history.error}
            onRetry={() => void history.refetch()}
            retrying={history.isFetching}
          />
        </>
      ) : (
        <div className={styles.waiting} role="group" aria-busy="true" aria-label="Loading the history">
          <Skeleton width="16rem" className={styles.waitingName} />
          <Skeleton width="100%" className={styles.waitingChart} />
          <div className={styles.waitingColumns}>
            <Skeleton width="100%" className={styles.waitingList} />
            <Skeleton width="100%" className={styles.waitingList} />
          </div>
        </div>
      )}
    </div>
  );
}
