import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { GENDER_NAMES } from '#contracts/accounts/account-names.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { readProfile } from '#contracts/accounts/readers.js';
import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { CountryName } from '../../domain/readers/country-name.js';
import { queryOf } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { whenIdle } from '../../lib/when-idle.js';
import { Fact } from '../../components/display/fact.js';

const loadEditing = () => import('./edit-profile.js');
const EditProfile = lazy(async () => ({ default: (await loadEditing()).EditProfile }));

export function ReaderCard() {
  const profile = useQuery(queryOf(readProfile));
  const [editing, setEditing] = useState(false);
  // The form is there by the time that it is wanted. If not, opening it fetches it again.
  useEffect(() => whenIdle(() => void loadEditing().catch(() => undefined)), []);
  if (profile.isError && !profile.data) {
    return <ErrorState of={profile} />;
  }
  return (
    <section
      className="p-6 border border-line double-rule bg-surface"
      aria-label={m.profile_details()}
      aria-busy={profile.isPending}
    >
      <div className="flex flex-wrap items-center justify-between gap-3 mb-4">
        <h2>{profile.data?.fullname ?? <Skeleton width="10rem" />}</h2>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/profile/security" size="small">
            {m.security_title()}
          </ButtonLink>
          <Button size="small" disabled={!profile.data} onClick={() => setEditing(true)}>
            {m.common_edit_profile()}
          </Button>
        </div>
      </div>
      <dl className="grid grid-cols-4 gap-4 [&_dt]:text-ink-soft [&_dt]:text-1 [&_dd]:wrap-anywhere to-860:grid-cols-2">
        {factsOf(profile.data).map(([name, value]) => (
          <Fact key={name} name={name}>
            {value ?? <Skeleton width="6rem" />}
          </Fact>
        ))}
      </dl>
      {editing && profile.data && (
        <Suspense fallback={null}>
          <EditProfile reader={profile.data} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </section>
  );
}

function factsOf(reader: Reader | undefined): [string, ReactNode][] {
  return [
    [m.account_fact_date_of_birth(), reader?.dateOfBirth],
    [m.profile_since(), reader && isoDay(reader.created)],
    [m.common_username(), reader?.userName],
    [m.account_gender(), reader && GENDER_NAMES[reader.gender]()],
    [m.account_country(), reader && <CountryName name={reader.country} />],
    [m.account_city(), reader?.city],
    [m.account_address(), reader?.adress],
    [m.account_fact_postal_code(), reader?.postalCode],
    ...(reader && reader.kind !== 'adult'
      ? [[m.account_reader_kind(), READER_KIND_LABELS[reader.kind]()] satisfies [string, string]]
      : []),
    // What the library has written down of them besides.
    ...(reader?.phone ? [[m.common_phone(), reader.phone] satisfies [string, string]] : []),
    ...(reader?.guardian ? [[m.account_guardian(), reader.guardian] satisfies [string, string]] : []),
    ...(reader?.memberUntil
      ? [[m.account_member_until(), reader.memberUntil] satisfies [string, string]]
      : []),
  ];
}
