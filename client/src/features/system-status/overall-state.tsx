import type { PartView } from '#contracts/dashboard/system-status.js';
import { PART_NAMES, partText } from '#contracts/dashboard/system-status-texts.js';
import { isoMinute } from '../../lib/dates.js';
import { LevelMark } from './level-mark.js';
import { Moment } from './moment.js';
import { headline, type KnownStatus } from './known-status.js';
import { classNames } from '../../lib/class-names.js';

const SINCE = 'text-ink-soft font-sans text-1 tabular-nums tracking-[0] group-data-[level=bad]/item:text-ink';

/** What a person has to know first: whether everything works, and what needs somebody, with what to do about it. */
export function OverallState({ status }: { status: KnownStatus }) {
  const needed = status.parts
    .filter(({ level }) => level !== 'ok')
    .sort((one, other) => Number(other.level === 'bad') - Number(one.level === 'bad'));
  const settling = status.parts.filter(({ level, incident }) => level === 'ok' && incident);
  const latest = status.parts
    .flatMap(({ since }) => since ?? [])
    .sort()
    .at(-1);
  return (
    <section
      className="mb-10 border border-line rounded bg-surface overflow-hidden"
      data-level={status.level}
      aria-labelledby="overall"
    >
      <div className="flex items-center gap-4 p-6 to-720:px-4">
        <LevelMark level={status.level} large />
        <div>
          <p
            id="overall"
            role="status"
            className="font-serif [font-size:clamp(1.5rem,1.2rem_+_1.4vw,2.25rem)] leading-[1.15] tracking-[-0.01em] text-balance"
          >
            {headline(status.parts)}
          </p>
          {status.level === 'ok' && latest && (
            <p className={SINCE}>
              All {status.parts.length} parts are well, the last of them since <Moment time={latest} />.
            </p>
          )}
        </div>
      </div>
      {needed.length > 0 && (
        <ul role="list">
          {needed.map((part) => (
            <Needed key={part.part} state={part} />
          ))}
        </ul>
      )}
      {settling.map(({ part, incident }) => (
        <p key={part} className="py-3 px-6 border-t border-line text-ink-soft to-720:px-4">
          {PART_NAMES[part]} works again. It did not at {isoMinute(incident?.since ?? '')}, and is watched for
          some minutes.
        </p>
      ))}
    </section>
  );
}

function Needed({ state }: { state: PartView }) {
  const { part, level, reason, facts, since, incident } = state;
  const words = partText(part, reason, facts);
  return (
    <li
      className={classNames(
        'group/item grid grid-cols-[auto_minmax(0,1fr)] gap-3 py-4 px-6 border-t border-line',
        '[&>div]:max-w-measure data-[level=bad]:bg-danger-wash',
        'to-720:px-4',
      )}
      data-level={level}
      data-part={part}
    >
      <LevelMark level={level} />
      <div>
        <h3 className="flex flex-wrap items-baseline gap-x-3 gap-y-0 mb-1 text-3">
          {PART_NAMES[part]}
          {since && (
            <span className={SINCE}>
              since {isoMinute(since)}, <Moment time={since} />
            </span>
          )}
        </h3>
        <p>{words?.what}</p>
        {words?.todo && (
          <p className="mt-2">
            <strong>What to do:</strong> {words.todo}
          </p>
        )}
        {incident?.letter === 'sent' && <p className="mt-2 text-1">The admins were told by mail.</p>}
        {incident?.letter === 'waiting' && (
          <p className="mt-2 text-1">The letter to the admins waits until the mail server takes it.</p>
        )}
      </div>
    </li>
  );
}
