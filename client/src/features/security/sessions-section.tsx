import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionView,
} from '#contracts/accounts/account-calls.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { queryKeys } from '../../domain/query-keys.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, send } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { classNames } from '../../lib/class-names.js';
import { Notice } from '../../components/dialog/notice.js';

const SESSION = classNames(
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 py-4 border-t border-line',
  '[&>svg]:text-ink-soft last:pb-0',
  'to-560:grid-cols-[auto_minmax(0,1fr)] to-560:[&>button]:col-start-2 to-560:[&>button]:justify-self-start',
);

const ON_A_PHONE = / on (Android|iOS)$/;

/** Where one is signed in; each place can be signed out, and all others together. */
export function SessionsSection() {
  // Others begin and end elsewhere.
  const sessions = useQuery({ ...queryOf(listSessions), staleTime: 0 });
  const end = useEndSession();
  const [asking, setAsking] = useState(false);
  const { data } = sessions;
  if (sessions.isError && !data) {
    return <ErrorState of={sessions} />;
  }
  const hasOthers = data?.some(({ current }) => !current) ?? false;
  return (
    <section
      className="flex flex-col gap-4 p-6 border border-line double-rule bg-surface to-560:p-4"
      aria-labelledby="sessions"
      aria-busy={sessions.isPending}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="sessions">Where you are signed in</h2>
        {hasOthers && (
          <Button
            size="small"
            busy={end.isPending && end.variables === 'others'}
            onClick={() => setAsking(true)}
          >
            Sign out everywhere else
          </Button>
        )}
      </div>
      <p className="max-w-measure text-ink-soft">
        Do you see a device you do not recognise? Sign it out, and change your password.
      </p>
      {end.isError && <Notice>{sentenceOf(end.error)}</Notice>}
      <ul className="list-none">
        {data?.map((session) => (
          <Session
            key={session.id}
            session={session}
            ending={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        )) ?? <Loading />}
      </ul>
      {asking && (
        <Confirmation
          question="Sign out everywhere else?"
          action="Sign out"
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            end.mutate('others');
          }}
        >
          You stay signed in here. Anything typed elsewhere and not saved will be lost.
        </Confirmation>
      )}
    </section>
  );
}

interface SessionProps {
  session: SessionView;
  ending: boolean;
  onEnd: () => void;
}

function Session({ session, ending, onEnd }: SessionProps) {
  const now = useNow(true);
  const { device, network, lastUsed, created, current } = session;
  const Icon = ON_A_PHONE.test(device) ? Smartphone : Monitor;
  return (
    <li className={SESSION}>
      <Icon size={22} aria-hidden="true" />
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 font-strong wrap-anywhere">
          {device}
          {current && (
            <span className="px-2 rounded bg-accent-wash text-accent-text text-1">This device</span>
          )}
        </p>
        <p className="text-ink-soft text-1 tabular-nums [&_time]:whitespace-nowrap">
          {current ? 'In use now' : `Last used ${relativeTime(lastUsed, now)}`} · {network} · since{' '}
          <time dateTime={created}>{isoMinute(created)}</time>
        </p>
      </div>
      {!current && (
        <Button size="small" busy={ending} aria-label={`Sign out ${device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </li>
  );
}

function Loading() {
  return (
    <li className={SESSION}>
      <Monitor size={22} aria-hidden="true" />
      <div>
        <Skeleton width="12rem" />
        <Skeleton width="18rem" />
      </div>
    </li>
  );
}

/** Ends one session by its id, or all but this one. */
function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (which: string) =>
      which === 'others'
        ? send(endOtherSessions)
        : send(endSession, { params: { id: which } }).catch(endedAlready),
    meta: { inPlace: true },
    onSuccess: ({ message }) => notify.success(message),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}

/** One that ended since the list was shown: it is what the person wanted. */
function endedAlready(error: unknown): { message: string } {
  if (error instanceof RequestError && error.status === 404)
    return { message: 'This session has already ended.' };
  throw error;
}
