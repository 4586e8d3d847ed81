import { Link } from 'react-router-dom';
import { type FollowersView, readFollowers } from '#contracts/dashboard/followers.js';
import * as m from '#words/messages.js';
import { isoMinute } from '../lib/dates.js';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../lib/api/send.js';

type Trouble = FollowersView[number];

const WORDS: Record<Trouble['name'], Record<Trouble['state'], string>> = {
  projection: {
    stopped: m.site_lists_stopped(),
    retrying: m.site_lists_behind(),
  },
  letters: {
    stopped: m.site_letters_stopped(),
    retrying: m.site_letters_waiting(),
  },
};

/** Shows admins which follower of the event log is stopped or retrying, at which event, and what to do. */
export function FollowerBand() {
  const { data } = useFollowers();
  if (data.length === 0) return null;
  return (
    <div
      role="alert"
      className="grid gap-4 mb-6 py-3 px-4 border-l-3 border-danger rounded bg-danger-wash wrap-anywhere [&_p]:m-0 [&_p]:mb-1"
    >
      {data.map((trouble) => (
        <section key={trouble.name} data-follower={trouble.name}>
          <p className="text-danger font-semibold">{WORDS[trouble.name][trouble.state]}</p>
          <p>{m.site_trouble_since({ time: isoMinute(trouble.since), reason: trouble.reason })}</p>
          {trouble.event && <StoppedAt event={trouble.event} />}
        </section>
      ))}
      <Link to="/admin/house">{m.site_open_status()}</Link>
    </div>
  );
}

function StoppedAt({ event }: { event: NonNullable<Trouble['event']> }) {
  return (
    <>
      <p>{m.site_stopped_at(event)}</p>
      <code className="block py-2 px-3 rounded bg-surface text-1 select-all">
        {`npm run skip-event -- --stream ${event.stream} --revision ${event.revision} --code … --reason "…"`}
      </code>
    </>
  );
}

const EVERY_MS = 30_000;

/** Followers of the event log that are in trouble, polled while somebody is in the admin area. */
function useFollowers() {
  return useQuery({
    ...queryOf(readFollowers),
    // Runs in the background and fails silently: the next poll is soon.
    initialData: [],
    initialDataUpdatedAt: 0,
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}
