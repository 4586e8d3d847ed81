import { Link } from 'react-router-dom';
import {
  PARTS,
  type Part,
  type PartView,
  type SystemStatusView,
  type Waiting,
} from '#contracts/dashboard/system-status.js';
import { PART_NAMES, PART_PURPOSES, partText } from '#contracts/dashboard/system-status-texts.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { LevelMark, Moment, inNumbers } from './level-mark.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { isoMinute } from '../../lib/dates.js';
import styles from './system-status-page.module.css';
import { Fact } from '../../components/display/fact.js';

const PART =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 min-h-16 py-3 border-t border-line';

/** Where more is told of a part. */
const MORE: Partial<Record<Part, { to: string; title: string }>> = {
  jobs: { to: '/admin/jobs', title: 'Background jobs' },
};

/** Every part with its state, and since when it is so; the skeleton of it while they are not known yet. */
export function PartsBoard({ parts, stale }: { parts: readonly PartView[] | undefined; stale: boolean }) {
  return (
    <ul
      role="list"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(22rem,100%),1fr))] gap-x-10 gap-y-0"
      data-stale={stale || undefined}
    >
      {parts
        ? parts.map((part) => <PartState key={part.part} state={part} />)
        : PARTS.map((part) => (
            <li key={part} className={PART}>
              <Skeleton width="60%" />
            </li>
          ))}
    </ul>
  );
}

function PartState({ state: { part, level, reason, facts, since } }: { state: PartView }) {
  const more = MORE[part];
  const words = level === 'ok' ? partText(part, reason, facts)?.what : undefined;
  return (
    <li className={PART} data-part={part} data-level={level}>
      <LevelMark level={level} />
      <div>
        <h4 className="m-0 font-sans text-2 font-strong leading-[1.375rem]">{PART_NAMES[part]()}</h4>
        <p className="text-ink-soft text-1">
          {words ?? PART_PURPOSES[part]()}
          {more && (
            <>
              {' '}
              <Link to={more.to}>{more.title}</Link>
            </>
          )}
        </p>
      </div>
      <p className="text-ink-soft text-1 leading-[1.375rem] tabular-nums text-right">
        {since ? <Moment time={since} /> : 'not known'}
      </p>
    </li>
  );
}

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

const QUEUES: Record<string, string> = {
  mail: 'Letters about accounts, in the queue',
  letters: 'Letters about borrows, in the queue',
  upkeep: 'Upkeep: what is late or not collected',
  reports: 'Files to print',
};

/** What waits to be done, and since when the oldest of it does. */
export function WaitingBoard({ waiting }: { waiting: SystemStatusView['waiting'] }) {
  const { letters, outbox, payments, queues } = waiting;
  return (
    <section aria-labelledby="waiting" className="pb-10 break-inside-avoid">
      <h3 id="waiting" className="mb-3 text-3">
        What waits
      </h3>
      <dl>
        <Row name="Letters due" waiting={letters} />
        <Row name="Jobs not yet in their queue" waiting={outbox} />
        <Row name="Payments not settled" waiting={payments} />
        {queues?.map(({ name, ...counts }) => (
          <Fact key={name} className={styles.fact} data-queue={name} name={QUEUES[name] ?? name}>
            {inNumbers(counts.waiting + counts.active)}
            {counts.delayed > 0 && (
              <span className="text-ink-soft">{inNumbers(counts.delayed)} for later</span>
            )}
            {counts.failed > 0 && (
              <span className="[&_a]:text-danger [&_a]:font-semibold">
                <Link to="/admin/jobs">{inNumbers(counts.failed)} given up</Link>
              </span>
            )}
          </Fact>
        )) ?? (
          <Fact className={styles.fact} name="Job queues">
            not known
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Row({ name, waiting }: { name: string; waiting: Waiting }) {
  return (
    <Fact className={styles.fact} name={name}>
      {waiting ? inNumbers(waiting.count) : 'not known'}
      {waiting?.oldest && (
        <span className="text-ink-soft">
          the oldest <Moment time={waiting.oldest} />
        </span>
      )}
    </Fact>
  );
}
