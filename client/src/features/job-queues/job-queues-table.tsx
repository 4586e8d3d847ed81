import type { QueuesView } from '#contracts/dashboard/queues.js';
import { Table, type TableColumn } from '../../components/list/table.js';
import styles from './job-queues-table.module.css';
import { classNames } from '../../lib/class-names.js';

type Counts = QueuesView[number];

const COUNTS: readonly {
  count: Exclude<keyof Counts, 'name' | 'paused' | 'needsMailServer'>;
  title: string;
  about: string;
}[] = [
  { count: 'outbox', title: 'Outbox', about: 'Asked for, and not yet in the queue' },
  { count: 'waiting', title: 'Waiting', about: 'To be done next' },
  { count: 'active', title: 'Active', about: 'Being done now' },
  { count: 'delayed', title: 'Delayed', about: 'Waiting for the next try or the next round' },
  { count: 'failed', title: 'Failed', about: 'Given up after all tries' },
  { count: 'completed', title: 'Completed', about: 'Done lately' },
];

const COLUMNS: readonly TableColumn[] = [
  { title: 'Queue' },
  ...COUNTS.map(({ title, about }) => ({ title, about, className: classNames('group/count', styles.count) })),
];

/** What is in each queue, for people who do not know its name. */
const ABOUT: Record<string, string> = {
  mail: 'Letters about accounts and passwords',
  letters: 'Letters about borrows and fees',
  upkeep: 'Expiring rents, charging fees, asking after payments',
  reports: 'Files to print',
};

export function JobQueuesTable({ queues }: { queues: QueuesView | undefined }) {
  return (
    <Table look="reading" className={styles.table} columns={COLUMNS} waiting={4}>
      {queues?.map((queue) => (
        <QueueRow key={queue.name} queue={queue} />
      ))}
    </Table>
  );
}

function QueueRow({ queue }: { queue: Counts }) {
  return (
    <tr role="row" className={styles.row} data-queue={queue.name}>
      <th role="rowheader" scope="row" className={styles.queue}>
        <span className="font-serif text-3 capitalize">{queue.name}</span>
        {queue.paused && (
          <span className="ml-2 py-0.5 px-2 rounded bg-issued-wash text-issued text-1 font-strong">
            Paused
          </span>
        )}
        {ABOUT[queue.name] !== undefined && (
          <span className="block text-ink-soft text-1">{ABOUT[queue.name]}</span>
        )}
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
