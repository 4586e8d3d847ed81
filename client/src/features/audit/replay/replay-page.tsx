import { Navigate, useParams } from 'react-router-dom';
import { ErrorState } from '../../../components/list/error-state.js';
import { Skeleton } from '../../../components/list/skeleton.js';
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
          <h1 className="text-4">Audit</h1>
          <ErrorState
            error={history.error}
            onRetry={() => void history.refetch()}
            retrying={history.isFetching}
          />
        </>
      ) : (
        <div className="flex flex-col gap-6" role="group" aria-busy="true" aria-label="Loading the history">
          <Skeleton width="16rem" className="h-8" />
          <Skeleton width="100%" className="h-48" />
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,27rem)] gap-6 to-960:grid-cols-1">
            <Skeleton width="100%" className="h-88" />
            <Skeleton width="100%" className="h-88" />
          </div>
        </div>
      )}
    </div>
  );
}
