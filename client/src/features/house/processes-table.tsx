import type { HouseView } from '#contracts/dashboard/house.js';
import { Table, type TableColumn } from '../../components/table.js';
import { isoMinute } from '../../lib/dates.js';
import { Moment } from './moment.js';
import styles from './house-page.module.css';

const COLUMNS: readonly TableColumn[] = [
  { title: 'Process' },
  { title: 'Machine' },
  { title: 'Version' },
  { title: 'Started' },
  { title: 'Last heard of' },
];
const KINDS = ['server', 'worker', 'projections'] as const;

type Process = HouseView['processes'][number];

/** Every process that runs, or did until a moment ago and did not say that it ends. */
export function ProcessesTable({ processes }: { processes: readonly Process[] }) {
  return (
    <section aria-labelledby="processes">
      <h3 id="processes" className={styles.title}>
        Processes
      </h3>
      <Table look="reading" className={styles.table} columns={COLUMNS} waiting={2}>
        {processes.map((process) => (
          <tr key={process.id} role="row" data-silent={process.silent || undefined}>
            <th role="rowheader" scope="row">
              {whatItDoes(process)}
            </th>
            <td role="cell" data-label="Machine">
              {process.host}, {process.pid}
            </td>
            <td role="cell" data-label="Version">
              {process.version}, Node {process.node}
            </td>
            <td role="cell" data-label="Started">
              {isoMinute(process.started)}
            </td>
            <td role="cell" data-label="Last heard of">
              {process.silent ? (
                <span className={styles.silent}>
                  silent since <Moment time={process.seen} />
                </span>
              ) : (
                <Moment time={process.seen} />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function whatItDoes({ kinds, jobs }: Process): string {
  const names: string[] = KINDS.filter((kind) => kinds.includes(kind));
  if (jobs && !kinds.includes('worker')) names.push('jobs');
  const text = names.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
