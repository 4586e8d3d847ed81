import * as m from '#words/messages.js';
import {
  type PartView,
  type SystemStatusView,
  backUpNow,
  readHouse,
} from '#contracts/dashboard/system-status.js';
import { PART_NAMES, partText } from '#contracts/dashboard/system-status-texts.js';
import { Marked } from '../../components/display/marked.js';
import { LevelMark, Moment } from './level-mark.js';
import { isoMinute } from '../../lib/dates.js';
import { classNames } from '../../lib/class-names.js';
import { RequestError } from '../../lib/api/request-error.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keyOf, queryOf, send } from '../../lib/api/send.js';

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
              <Marked
                parts={m.status_all_parts_work.parts({ count: status.parts.length })}
                as={{ moment: () => <Moment time={latest} /> }}
              />
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
          {m.status_part_works_again({ part: PART_NAMES[part](), time: isoMinute(incident?.since ?? '') })}
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
          {PART_NAMES[part]()}
          {since && (
            <span className={SINCE}>
              <Marked
                parts={m.status_since.parts({ time: isoMinute(since) })}
                as={{ moment: () => <Moment time={since} /> }}
              />
            </span>
          )}
        </h3>
        <p>{words?.what}</p>
        {words?.todo && (
          <p className="mt-2">
            <Marked
              parts={m.status_what_to_do.parts({ todo: words.todo })}
              as={{ strong: (text) => <strong>{text}</strong> }}
            />
          </p>
        )}
        {incident?.letter === 'sent' && <p className="mt-2 text-1">{m.status_admins_told()}</p>}
        {incident?.letter === 'waiting' && <p className="mt-2 text-1">{m.status_letter_to_admins_waits()}</p>}
      </div>
    </li>
  );
}

/** The house as far as it is known: without its database the server cannot tell who asks, and answers nothing else. */
export function knownStatus(data: SystemStatusView | undefined, error: unknown): KnownStatus | undefined {
  const isAway = error instanceof RequestError && error.problem?.code === 'DatabaseUnavailable';
  if (!isAway) return data && { ...data, isCurrent: error === null };
  const known = data?.parts.find(({ part }) => part === 'database');
  const database: PartView = {
    ...{ part: 'database', level: 'bad', reason: 'away', facts: {}, incident: null },
    since: known?.level === 'bad' ? known.since : null,
  };
  const others = data?.parts.filter(({ part }) => part !== 'database') ?? [];
  return { ...data, level: 'bad', parts: [database, ...others], isCurrent: false };
}

/** Of a house whose database is away, only its parts may be known. */
type KnownStatus = Pick<SystemStatusView, 'level' | 'parts'> &
  Partial<SystemStatusView> & {
    /** Whether this is how it is now, and not how it was. */
    isCurrent: boolean;
  };

/** What a person has to know first, in one sentence. */
function headline(parts: readonly PartView[]): string {
  const wrong = parts.filter(({ level }) => level === 'bad').length;
  const others = parts.filter(({ level }) => level === 'warning').length;
  if (wrong + others === 0) return m.status_everything_works();
  const count = wrong + others;
  return wrong === 0 ? m.status_works_but_attention({ count }) : m.status_things_need_attention({ count });
}

const EVERY_MS = 5_000;
const DURING_BACKUP_MS = 1_500;

/** The state of the house; asked for again and again while the page is open. */
export function useSystemStatus() {
  return useQuery({
    ...queryOf(readHouse),
    refetchInterval: ({ state }) => (state.data?.backups.running ? DURING_BACKUP_MS : EVERY_MS),
    meta: { inPlace: true },
  });
}

export function useBackUpNow() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(backUpNow),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(readHouse) }),
    meta: { inPlace: true },
  });
}
