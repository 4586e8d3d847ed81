import { useState } from 'react';
import type { Reader } from '#contracts/accounts/account-views.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EndSessions } from '../../domain/readers/end-sessions.js';
import { ErrorState } from '../../components/error-state.js';
import { ReaderDialog } from '../../domain/readers/reader-dialog.js';
import { Skeleton } from '../../components/skeleton.js';
import { isoDay } from '../../lib/dates.js';
import { getProfile, useProfile } from './get-profile.js';
import styles from './profile-page.module.css';

export function ReaderCard({ readerId }: { readerId: string }) {
  const profile = useProfile(readerId);
  const [editing, setEditing] = useState(false);
  if (profile.isError && !profile.data) {
    return (
      <ErrorState
        error={profile.error}
        onRetry={() => void profile.refetch()}
        retrying={profile.isFetching}
      />
    );
  }
  return (
    <section className={styles.card} aria-label="Your details" aria-busy={profile.isPending}>
      <div className={styles.cardHead}>
        <h2>{profile.data?.fullname ?? <Skeleton width="10rem" />}</h2>
        <div className={styles.cardTools}>
          <ButtonLink to="/profile/security" size="small">
            Security
          </ButtonLink>
          <Button size="small" disabled={!profile.data} onClick={() => setEditing(true)}>
            Edit Profile
          </Button>
        </div>
      </div>
      <dl className={styles.facts}>
        {factsOf(profile.data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? <Skeleton width="6rem" />}</dd>
          </div>
        ))}
      </dl>
      {editing && profile.data && (
        <ReaderDialog
          title="Edit Profile"
          reader={profile.data}
          load={() => getProfile()}
          onClose={() => setEditing(false)}
        >
          <EndSessions reader={profile.data} />
        </ReaderDialog>
      )}
    </section>
  );
}

function factsOf(reader: Reader | undefined): [string, string | undefined][] {
  return [
    ['Date of birth', reader?.dateOfBirth],
    ['Reader since', reader && isoDay(reader.created)],
    ['Username', reader?.userName],
    ['Gender', reader?.gender],
    ['Country', reader?.country],
    ['City', reader?.city],
    ['Address', reader?.adress],
    ['Postal code', reader?.postalCode],
  ];
}
