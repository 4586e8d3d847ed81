import { Link } from 'react-router-dom';
import { PARTS, type Part, type PartView } from '#contracts/dashboard/system-status.js';
import { PART_NAMES, PART_PURPOSES, partText } from '#contracts/dashboard/system-status-texts.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { LevelMark } from './level-mark.js';
import { Moment } from './moment.js';

const PART =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 min-h-16 py-3 border-t border-line';

/** Where more is told of a part. */
const MORE: Partial<Record<Part, { to: string; title: string }>> = {
  jobs: { to: '/admin/jobs', title: 'Queues' },
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
        <h4 className="m-0 font-sans text-2 font-strong leading-[1.375rem]">{PART_NAMES[part]}</h4>
        <p className="text-ink-soft text-1">
          {words ?? PART_PURPOSES[part]}
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
