import * as m from '#words/messages.js';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionView,
} from '#contracts/accounts/account-calls.js';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Monitor from 'lucide-react/icons/monitor';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState } from 'react';
import { Button } from '../../components/form/button.js';
import { Marked } from '../../components/display/marked.js';
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

const ON_A_PHONE = / (Android|iOS)$/;

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
        <h2 id="sessions">{m.security_sessions()}</h2>
        {hasOthers && (
          <Button
            size="small"
            busy={end.isPending && end.variables === 'others'}
            onClick={() => setAsking(true)}
          >
            {m.security_end_others()}
          </Button>
        )}
      </div>
      <p className="max-w-measure text-ink-soft">{m.security_sessions_lead()}</p>
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
          question={m.security_end_others_question()}
          action={m.security_sign_out()}
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            end.mutate('others');
          }}
        >
          {m.security_end_others_loss()}
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
            <span className="px-2 rounded bg-accent-wash text-accent-text text-1">
              {m.security_session_current()}
            </span>
          )}
        </p>
        <p className="text-ink-soft text-1 tabular-nums [&_time]:whitespace-nowrap">
          {current
            ? m.security_session_in_use()
            : m.security_session_last_used({ ago: relativeTime(lastUsed, now) })}{' '}
          · {network} ·{' '}
          <Marked
            parts={m.security_session_since.parts({ at: isoMinute(created) })}
            as={{ time: (children) => <time dateTime={created}>{children}</time> }}
          />
        </p>
      </div>
      {!current && (
        <Button
          size="small"
          busy={ending}
          aria-label={m.security_sign_out_device({ device })}
          onClick={onEnd}
        >
          {m.security_sign_out()}
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
    return { message: m.security_session_ended_already() };
  throw error;
}
