import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import listPage from '../../components/list/list-page.module.css';
import { Notice } from '../../components/dialog/notice.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { BackupBoard, DiskBoard, VersionsBoard } from './facts-boards.js';
import { useSystemStatus, OverallState, knownStatus } from './overall-state.js';
import { PartsBoard, ProcessesTable, WaitingBoard } from './parts-board.js';

/** Older looks at the parts are said to be so. Milliseconds. */
const OUTDATED = 60_000;

/** The state of the house: whether everything works, what needs somebody, and every part. */
export function SystemStatusPage() {
  usePageTitle(m.status_title());
  const query = useSystemStatus();
  const status = knownStatus(query.data, query.error);
  return (
    <>
      <header className={listPage.head}>
        <h2 className={listPage.title}>{m.status_title()}</h2>
        {status?.lookedAt && <LookedAt time={status.lookedAt} />}
      </header>
      {query.isError && !status && <ErrorState of={query} />}
      {!query.isError && !status && <Loading />}
      {query.isError && status && (
        <div className="mb-4">
          <Notice
            action={
              <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
                {m.status_retry()}
              </Button>
            }
          >
            {m.status_not_refreshed({ reason: sentenceOf(query.error) })}
          </Notice>
        </div>
      )}
      {status && (
        <>
          <OverallState status={status} />
          <h3 className="mb-3 text-3">{m.status_parts()}</h3>
          <PartsBoard parts={status.parts} stale={!status.isCurrent} />
          <div className="mt-10 [columns:2_22rem] gap-x-10" data-stale={!status.isCurrent || undefined}>
            {status.backups && <BackupBoard backups={status.backups} />}
            {status.waiting && <WaitingBoard waiting={status.waiting} />}
            {status.disk && <DiskBoard disk={status.disk} />}
            {status.versions && <VersionsBoard versions={status.versions} />}
          </div>
          {status.processes && <ProcessesTable processes={status.processes} />}
        </>
      )}
    </>
  );
}

function LookedAt({ time }: { time: string }) {
  const age = useNow(true) - Date.parse(time);
  return (
    <p className={listPage.count} data-outdated={age > OUTDATED || undefined}>
      {m.status_checked({ age: ageInShort(age) })}
    </p>
  );
}

function Loading() {
  return (
    <div aria-busy="true">
      <p className="mb-10 p-6 border border-line rounded bg-surface text-4">
        <Skeleton width="14rem" />
      </p>
      <h3 className="mb-3 text-3">{m.status_parts()}</h3>
      <PartsBoard parts={undefined} stale={false} />
    </div>
  );
}
