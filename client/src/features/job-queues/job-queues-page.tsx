import { ExternalLink } from 'lucide-react';
import { Button } from '../../components/form/button.js';
import { ErrorState } from '../../components/list/error-state.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useJobQueues, useOpenJobQueues } from './job-queue-calls.js';
import listPage from '../../components/list/list-page.module.css';
import { JobQueuesTable } from './job-queues-table.js';

/** What the library does by itself: how much of it waits, and what it has given up. */
export function JobQueuesPage() {
  usePageTitle('Queues');
  const queues = useJobQueues();
  const failed = queues.data?.reduce((sum, queue) => sum + queue.failed, 0) ?? 0;
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 mb-2">
        <h2 className={listPage.title}>Queues</h2>
        {queues.data && <Age countedAt={queues.dataUpdatedAt} />}
      </header>
      <p className="max-w-measure mb-6 text-ink-soft">
        What the library does by itself: letters, fees, files. Work that failed is tried again some times
        before it is given up.
      </p>
      {queues.isError && !queues.data ? (
        <ErrorState error={queues.error} onRetry={() => void queues.refetch()} retrying={queues.isFetching} />
      ) : (
        <JobQueuesTable queues={queues.data} />
      )}
      {queues.data?.some(({ needsMailServer }) => needsMailServer) && (
        <div className="max-w-240 mt-4">
          <Notice look="news">
            Letters wait, and nobody can register: the library has no mail server. Whoever runs it sets
            SMTP_URL.
          </Notice>
        </div>
      )}
      {queues.isError && queues.data && (
        <div className="max-w-240 mt-4">
          <Notice
            action={
              <Button size="small" busy={queues.isFetching} onClick={() => void queues.refetch()}>
                Retry
              </Button>
            }
          >
            These counts could not be brought up to date. {sentenceOf(queues.error)}
          </Notice>
        </div>
      )}
      <OpenJobQueues failed={failed} />
    </>
  );
}

function Age({ countedAt }: { countedAt: number }) {
  const now = useNow(true);
  return <p className={listPage.count}>Counted {ageInShort(now - countedAt)} ago</p>;
}

function OpenJobQueues({ failed }: { failed: number }) {
  const open = useOpenJobQueues();
  return (
    <div className="flex flex-col items-start gap-4 max-w-measure mt-10">
      <p>
        {failed > 0
          ? 'On the page of the queues each job that was given up says why, and can be tried again.'
          : 'The page of the queues shows every job, and what became of it.'}
      </p>
      <Button look="primary" busy={open.isPending} onClick={() => open.mutate()}>
        <ExternalLink size={18} aria-hidden="true" />
        Open the queues
      </Button>
      {open.data && !open.data.opened && (
        <Notice look="news" action={<a href={open.data.url}>Go there in this tab</a>}>
          This browser did not let a new tab be opened.
        </Notice>
      )}
      {open.isError && <Notice>The queues could not be opened. {sentenceOf(open.error)}</Notice>}
    </div>
  );
}
