import * as m from '#words/messages.js';
import ExternalLink from 'lucide-react/icons/external-link';
import { Button } from '../../components/form/button.js';
import { ErrorState } from '../../components/list/placeholders.js';
import { Notice } from '../../components/dialog/notice.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import listPage from '../../components/list/list-page.module.css';
import { type QueuesView, openQueues, readQueues } from '#contracts/dashboard/queues.js';
import { Table, type TableColumn } from '../../components/list/table.js';
import styles from './job-queues-table.module.css';
import { classNames } from '../../lib/class-names.js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { queryOf, send } from '../../lib/api/send.js';

/** What the library does by itself: how much of it waits, and what it has given up. */
export function JobQueuesPage() {
  usePageTitle(m.common_jobs());
  const queues = useJobQueues();
  const failed = queues.data?.reduce((sum, queue) => sum + queue.failed, 0) ?? 0;
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 mb-2">
        <h2 className={listPage.title}>{m.common_jobs()}</h2>
        {queues.data && <Age countedAt={queues.dataUpdatedAt} />}
      </header>
      <p className="max-w-measure mb-6 text-ink-soft">{m.jobs_lead()}</p>
      {queues.isError && !queues.data ? <ErrorState of={queues} /> : <JobQueuesTable queues={queues.data} />}
      {queues.data?.some(({ needsMailServer }) => needsMailServer) && (
        <div className="max-w-240 mt-4">
          <Notice look="news">{m.jobs_no_mail_server()}</Notice>
        </div>
      )}
      {queues.isError && queues.data && (
        <div className="max-w-240 mt-4">
          <Notice
            action={
              <Button size="small" busy={queues.isFetching} onClick={() => void queues.refetch()}>
                {m.common_retry()}
              </Button>
            }
          >
            {m.jobs_not_refreshed()} {sentenceOf(queues.error)}
          </Notice>
        </div>
      )}
      <OpenJobQueues failed={failed} />
    </>
  );
}

function Age({ countedAt }: { countedAt: number }) {
  const now = useNow(true);
  return <p className={listPage.count}>{m.jobs_counted({ age: ageInShort(now - countedAt) })}</p>;
}

function OpenJobQueues({ failed }: { failed: number }) {
  const open = useOpenJobQueues();
  return (
    <div className="flex flex-col items-start gap-4 max-w-measure mt-10">
      <p>{failed > 0 ? m.jobs_page_shows_why() : m.jobs_page_shows_all()}</p>
      <Button icon={ExternalLink} look="primary" busy={open.isPending} onClick={() => open.mutate()}>
        {m.jobs_open()}
      </Button>
      {open.data && !open.data.opened && (
        <Notice look="news" action={<a href={open.data.url}>{m.jobs_open_here()}</a>}>
          {m.jobs_tab_blocked()}
        </Notice>
      )}
      {open.isError && (
        <Notice>
          {m.jobs_not_opened()} {sentenceOf(open.error)}
        </Notice>
      )}
    </div>
  );
}

type Counts = QueuesView[number];

const COUNTS: readonly {
  count: Exclude<keyof Counts, 'name' | 'paused' | 'needsMailServer'>;
  title: string;
  about: string;
}[] = [
  { count: 'outbox', title: m.jobs_outbox(), about: m.jobs_outbox_about() },
  { count: 'waiting', title: m.jobs_waiting(), about: m.jobs_waiting_about() },
  { count: 'active', title: m.jobs_active(), about: m.jobs_active_about() },
  { count: 'delayed', title: m.jobs_delayed(), about: m.jobs_delayed_about() },
  { count: 'failed', title: m.jobs_failed(), about: m.jobs_failed_about() },
  { count: 'completed', title: m.jobs_completed(), about: m.jobs_completed_about() },
];

const COLUMNS: readonly TableColumn[] = [
  { title: m.jobs_queue() },
  ...COUNTS.map(({ title, about }) => ({ title, about, className: classNames('group/count', styles.count) })),
];

/** What people call each queue, and what is in it. */
const QUEUES: Record<string, { title: string; about: string }> = {
  mail: { title: m.jobs_mail_title(), about: m.jobs_mail() },
  letters: { title: m.jobs_letters_title(), about: m.jobs_letters() },
  upkeep: { title: m.jobs_upkeep_title(), about: m.jobs_upkeep() },
  reports: { title: m.jobs_reports_title(), about: m.jobs_reports() },
  imports: { title: m.jobs_imports_title(), about: m.jobs_imports() },
};

function JobQueuesTable({ queues }: { queues: QueuesView | undefined }) {
  return (
    <Table look="reading" className={styles.table} columns={COLUMNS} waiting={4}>
      {queues?.map((queue) => (
        <QueueRow key={queue.name} queue={queue} />
      ))}
    </Table>
  );
}

function QueueRow({ queue }: { queue: Counts }) {
  const { title = queue.name, about } = QUEUES[queue.name] ?? {};
  return (
    <tr role="row" className={styles.row} data-queue={queue.name}>
      <th role="rowheader" scope="row" className={styles.queue}>
        <span className="font-serif text-3">{title}</span>
        {queue.paused && (
          <span className="ml-2 py-0.5 px-2 rounded bg-issued-wash text-issued text-1 font-strong">
            {m.jobs_paused()}
          </span>
        )}
        {about !== undefined && <span className="block text-ink-soft text-1">{about}</span>}
      </th>
      {COUNTS.map(({ count, title }) => (
        <td
          key={count}
          role="cell"
          className={classNames('group/count', styles.count)}
          data-label={title}
          data-count={count}
          data-alarm={(count === 'failed' && queue.failed > 0) || undefined}
        >
          <span
            className={classNames(
              'group-data-alarm/count:py-0.5 group-data-alarm/count:px-2 group-data-alarm/count:rounded',
              'group-data-alarm/count:bg-danger-wash group-data-alarm/count:text-danger group-data-alarm/count:font-semibold',
              'to-860:group-data-alarm/count:-ml-2',
            )}
          >
            {queue[count]}
          </span>
        </td>
      ))}
    </tr>
  );
}

const EVERY_MS = 10_000;

/** How much work is in the job queues; refetched while the page is open. */
function useJobQueues() {
  return useQuery({
    ...queryOf(readQueues),
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}

/** The page with the jobs themselves is the server's: this browser gets a ticket for it, and a tab that shows it. */
function useOpenJobQueues() {
  return useMutation({
    mutationFn: async () => {
      // Opened before the answer: later, browsers no longer attribute it to the person's click.
      const tab = window.open('', '_blank');
      try {
        const { url } = await send(openQueues);
        if (tab) {
          tab.opener = null;
          tab.location.replace(url);
        }
        return { url, opened: tab !== null };
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
    meta: { inPlace: true },
  });
}
