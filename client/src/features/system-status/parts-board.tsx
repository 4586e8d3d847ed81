import * as m from '#words/messages.js';
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
import { Marked } from '../../components/display/marked.js';
import { LevelMark, Moment } from './level-mark.js';
import { inGroups } from '../../lib/texts.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { isoMinute } from '../../lib/dates.js';
import styles from './system-status-page.module.css';
import { Fact } from '../../components/display/fact.js';

const PART =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 min-h-16 py-3 border-t border-line';

/** Where more is told of a part. */
const MORE: Partial<Record<Part, { to: string; title: string }>> = {
  jobs: { to: '/admin/jobs', title: m.common_jobs() },
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
        {since ? <Moment time={since} /> : m.status_not_known()}
      </p>
    </li>
  );
}

const KINDS = {
  server: m.status_process_server(),
  worker: m.status_process_worker(),
  projections: m.status_process_projections(),
};

type Process = SystemStatusView['processes'][number];

const COLUMNS: readonly ListColumn<Process>[] = [
  { title: m.status_process(), heads: true, label: null, cell: whatItDoes },
  { title: m.status_process_machine(), cell: ({ host, pid }) => `${host}, ${pid}` },
  { title: m.status_process_version(), cell: ({ version, node }) => `${version}, Node ${node}` },
  { title: m.status_process_started(), cell: ({ started }) => isoMinute(started) },
  {
    title: m.status_process_heard_of(),
    cell: ({ silent, seen }) =>
      silent ? (
        <span className="text-danger">
          <Marked
            parts={m.status_process_silent_since.parts()}
            as={{ moment: () => <Moment time={seen} /> }}
          />
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
        {m.status_processes()}
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
  const names = (['server', 'worker', 'projections'] as const)
    .filter((kind) => kinds.includes(kind))
    .map((kind) => KINDS[kind]);
  if (jobs && !kinds.includes('worker')) names.push(m.status_process_jobs());
  const text = names.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const QUEUES: Record<string, string> = {
  mail: m.status_queue_mail(),
  letters: m.status_queue_letters(),
  upkeep: m.status_queue_upkeep(),
  reports: m.status_queue_reports(),
  imports: m.status_queue_imports(),
};

/** What waits to be done, and since when the oldest of it does. */
export function WaitingBoard({ waiting }: { waiting: SystemStatusView['waiting'] }) {
  const { letters, outbox, payments, queues } = waiting;
  return (
    <section aria-labelledby="waiting" className="pb-10 break-inside-avoid">
      <h3 id="waiting" className="mb-3 text-3">
        {m.status_waiting()}
      </h3>
      <dl>
        <Row name={m.status_waiting_letters()} waiting={letters} />
        <Row name={m.status_waiting_jobs()} waiting={outbox} />
        <Row name={m.status_waiting_payments()} waiting={payments} />
        {queues?.map(({ name, ...counts }) => (
          <Fact key={name} className={styles.fact} data-queue={name} name={QUEUES[name] ?? name}>
            {inGroups(counts.waiting + counts.active)}
            {counts.delayed > 0 && (
              <span className="text-ink-soft">
                {m.status_waiting_for_later({ count: inGroups(counts.delayed) })}
              </span>
            )}
            {counts.failed > 0 && (
              <span className="[&_a]:text-danger [&_a]:font-semibold">
                <Link to="/admin/jobs">{m.status_waiting_given_up({ count: inGroups(counts.failed) })}</Link>
              </span>
            )}
          </Fact>
        )) ?? (
          <Fact className={styles.fact} name={m.status_part_jobs()}>
            {m.status_not_known()}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Row({ name, waiting }: { name: string; waiting: Waiting }) {
  const oldest = waiting?.oldest;
  return (
    <Fact className={styles.fact} name={name}>
      {waiting ? inGroups(waiting.count) : m.status_not_known()}
      {oldest && (
        <span className="text-ink-soft">
          <Marked parts={m.status_waiting_oldest.parts()} as={{ moment: () => <Moment time={oldest} /> }} />
        </span>
      )}
    </Fact>
  );
}
