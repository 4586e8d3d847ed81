import type { SystemStatusView } from '#contracts/dashboard/system-status.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { isoMinute } from '../../lib/dates.js';
import { Moment } from './moment.js';

const KINDS = ['server', 'worker', 'projections'] as const;

type Process = SystemStatusView['processes'][number];

const COLUMNS: readonly ListColumn<Process>[] = [
  { title: 'Process', heads: true, label: null, cell: whatItDoes },
  { title: 'Machine', cell: ({ host, pid }) => `${host}, ${pid}` },
  { title: 'Version', cell: ({ version, node }) => `${version}, Node ${node}` },
  { title: 'Started', cell: ({ started }) => isoMinute(started) },
  {
    title: 'Last heard of',
    cell: ({ silent, seen }) =>
      silent ? (
        <span className="text-danger">
          silent since <Moment time={seen} />
        </span>
      ) : (
        <Moment time={seen} />
      ),
  },
];

/** Every process that runs, or did until a moment ago and did not say that it ends. */
export function ProcessesTable({ processes }: { processes: readonly Process[] }) {
  return (
    <section aria-labelledby="processes">
      <h3 id="processes" className="mb-3 text-3">
        Processes
      </h3>
      <ListTable
        className="border-t border-line [&_tbody_th]:font-strong [&_tr[data-silent]_:is(th,td)]:text-ink-soft"
        columns={COLUMNS}
        items={processes}
        keyOf={({ id }) => id}
        rowProps={({ silent }) => ({ 'data-silent': silent || undefined })}
        waiting={2}
      />
    </section>
  );
}

function whatItDoes({ kinds, jobs }: Process): string {
  const names: string[] = KINDS.filter((kind) => kinds.includes(kind));
  if (jobs && !kinds.includes('worker')) names.push('jobs');
  const text = names.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
