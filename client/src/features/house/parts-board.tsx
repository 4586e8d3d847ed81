import { Link } from 'react-router-dom';
import { PARTS, type Part, type PartView } from '#contracts/dashboard/house.js';
import { PART_NAMES, PART_PURPOSES, partWords } from '#contracts/dashboard/house-words.js';
import { Skeleton } from '../../components/skeleton.js';
import { LevelMark } from './level-mark.js';
import { Moment } from './moment.js';
import styles from './parts-board.module.css';

/** Where more is told of a part. */
const MORE: Partial<Record<Part, { to: string; title: string }>> = {
  jobs: { to: '/admin/jobs', title: 'Queues' },
};

/** Every part with its state, and since when it is so; the skeleton of it while they are not known yet. */
export function PartsBoard({ parts, stale }: { parts: readonly PartView[] | undefined; stale: boolean }) {
  return (
    <ul role="list" className={styles.board} data-stale={stale || undefined}>
      {parts
        ? parts.map((part) => <PartState key={part.part} state={part} />)
        : PARTS.map((part) => (
            <li key={part} className={styles.part}>
              <Skeleton width="60%" />
            </li>
          ))}
    </ul>
  );
}

function PartState({ state: { part, level, reason, facts, since } }: { state: PartView }) {
  const more = MORE[part];
  const words = level === 'ok' ? partWords(part, reason, facts)?.what : undefined;
  return (
    <li className={styles.part} data-part={part} data-level={level}>
      <LevelMark level={level} />
      <div>
        <h4 className={styles.name}>{PART_NAMES[part]}</h4>
        <p className={styles.purpose}>
          {words ?? PART_PURPOSES[part]}
          {more && (
            <>
              {' '}
              <Link to={more.to}>{more.title}</Link>
            </>
          )}
        </p>
      </div>
      <p className={styles.since}>{since ? <Moment time={since} /> : 'not known'}</p>
    </li>
  );
}
