import { Button } from '../../components/button.js';
import { ErrorState } from '../../components/error-state.js';
import listPage from '../../components/list-page.module.css';
import { Notice } from '../../components/notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { BackupBoard } from './backup-board.js';
import { DiskBoard, VersionsBoard } from './facts-boards.js';
import { useHouse } from './house-calls.js';
import { OverallState } from './overall-state.js';
import { PartsBoard } from './parts-board.js';
import { ProcessesTable } from './processes-table.js';
import { WaitingBoard } from './waiting-board.js';
import { knownHouse } from './whole-state.js';

/** Older looks at the parts are said to be so. Milliseconds. */
const OUTDATED = 60_000;

/** The state of the house: whether everything works, what needs somebody, and every part. */
export function HousePage() {
  usePageTitle('House');
  const query = useHouse();
  const house = knownHouse(query.data, query.error);
  return (
    <>
      <header className={listPage.head}>
        <h2 className={listPage.title}>The house</h2>
        {house?.lookedAt && <LookedAt time={house.lookedAt} />}
      </header>
      {query.isError && !house && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      )}
      {!query.isError && !house && <Loading />}
      {query.isError && house && (
        <div className="mb-4">
          <Notice
            action={
              <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
                Retry
              </Button>
            }
          >
            This could not be brought up to date. {sentenceOf(query.error)}
          </Notice>
        </div>
      )}
      {house && (
        <>
          <OverallState house={house} />
          <h3 className="mb-3 text-3">Parts</h3>
          <PartsBoard parts={house.parts} stale={!house.isCurrent} />
          <div className="mt-10 [columns:2_22rem] gap-x-10" data-stale={!house.isCurrent || undefined}>
            {house.backups && <BackupBoard backups={house.backups} />}
            {house.waiting && <WaitingBoard waiting={house.waiting} />}
            {house.disk && <DiskBoard disk={house.disk} />}
            {house.versions && <VersionsBoard versions={house.versions} />}
          </div>
          {house.processes && <ProcessesTable processes={house.processes} />}
        </>
      )}
    </>
  );
}

function LookedAt({ time }: { time: string }) {
  const age = useNow(true) - Date.parse(time);
  return (
    <p className={listPage.count} data-outdated={age > OUTDATED || undefined}>
      Looked at {ageInShort(age)} ago
    </p>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <p className="mb-10 p-6 border border-line rounded bg-surface text-4">
        <Skeleton width="14rem" />
      </p>
      <h3 className="mb-3 text-3">Parts</h3>
      <PartsBoard parts={undefined} stale={false} />
    </div>
  );
}
