import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '#contracts/accounts/account-views.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { ErrorState } from '../../components/error-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { isoMinute, relativeTime } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import styles from './security-page.module.css';
import { useEndSession, useSessions } from './sessions.js';

const ON_A_PHONE = / on (Android|iOS)$/;

/** Where one is logged in; each place can be logged out, and all others together. */
export function SessionsSection() {
  const sessions = useSessions();
  const end = useEndSession();
  const [asking, setAsking] = useState(false);
  const { data } = sessions;
  if (sessions.isError && !data) {
    return (
      <ErrorState
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        retrying={sessions.isFetching}
      />
    );
  }
  const hasOthers = data?.some(({ current }) => !current) ?? false;
  return (
    <section className={styles.card} aria-labelledby="sessions" aria-busy={sessions.isPending}>
      <div className={styles.head}>
        <h2 id="sessions">Where you are logged in</h2>
        {hasOthers && (
          <Button
            size="small"
            busy={end.isPending && end.variables === 'others'}
            onClick={() => setAsking(true)}
          >
            Log out everywhere else
          </Button>
        )}
      </div>
      <p className={styles.about}>A place that you do not recognize? Log it out, and change your password.</p>
      {end.isError && (
        <p className={styles.refused} role="alert">
          {sentenceOf(end.error)}
        </p>
      )}
      <ul className={styles.sessions}>
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
          question="Log out everywhere else?"
          action="Log out"
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            end.mutate('others');
          }}
        >
          You stay logged in here. What is typed elsewhere and not saved yet is lost there.
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
    <li className={styles.session}>
      <Icon size={22} aria-hidden="true" />
      <div>
        <p className={styles.device}>
          {device}
          {current && <span className={styles.here}>This device</span>}
        </p>
        <p className={styles.facts}>
          {current ? 'In use now' : `Last used ${relativeTime(lastUsed, now)}`} · {network} · since{' '}
          <time dateTime={created}>{isoMinute(created)}</time>
        </p>
      </div>
      {!current && (
        <Button size="small" busy={ending} aria-label={`Log out ${device}`} onClick={onEnd}>
          Log out
        </Button>
      )}
    </li>
  );
}

function Loading() {
  return (
    <li className={styles.session}>
      <Monitor size={22} aria-hidden="true" />
      <div>
        <Skeleton width="12rem" />
        <Skeleton width="18rem" />
      </div>
    </li>
  );
}
