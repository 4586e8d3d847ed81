import { useState } from 'react';
import type { Reader } from '#contracts/accounts/account-views.js';
import { sentenceOf } from '../lib/api/request-error.js';
import { useEndSessions } from '../lib/end-sessions.js';
import { useUser } from '../lib/session.js';
import { Button } from './button.js';
import { Confirmation } from './confirmation.js';
import styles from './end-sessions.module.css';

/** For a lost telephone or a library's own computer: the account is logged out wherever it is logged in. Asks first. */
export function EndSessions({ reader }: { reader: Reader }) {
  const me = useUser();
  const end = useEndSessions(reader.id);
  const [asking, setAsking] = useState(false);
  const own = me?.id === reader.id;
  return (
    <section className={styles.section} aria-labelledby="end-sessions">
      <h3 className={styles.title} id="end-sessions">
        Sessions
      </h3>
      <p className={styles.about}>
        {own ? 'Logs you out on every device, this one too.' : `Logs ${reader.fullname} out on every device.`}{' '}
        Who knows the password can log in again.
      </p>
      {end.isError && (
        <p className={styles.refused} role="alert">
          {sentenceOf(end.error)}
        </p>
      )}
      <div>
        <Button busy={end.isPending} onClick={() => setAsking(true)}>
          Log out everywhere
        </Button>
      </div>
      {asking && (
        <Confirmation
          question={own ? 'Log out everywhere?' : `Log ${reader.fullname} out everywhere?`}
          action="Log out"
          onConfirm={() => {
            setAsking(false);
            end.mutate();
          }}
          onDecline={() => setAsking(false)}
        >
          What is typed somewhere and not saved yet is lost there.
        </Confirmation>
      )}
    </section>
  );
}
