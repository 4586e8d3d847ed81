import type { RoleChange } from '#contracts/accounts/account-views.js';
import { Button } from '../../components/form/button.js';
import { Day } from '../../components/display/day.js';
import { Skeleton } from '../../components/list/skeleton.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useRoleChanges } from './get-users.js';

/** Every role that was given or taken, as it is recorded for good. */
export function RoleHistory({ userId }: { userId: string }) {
  const changes = useRoleChanges(userId);
  return (
    <section
      className="flex flex-col gap-3 pt-4 border-t border-line"
      aria-label="Recorded changes of roles"
      aria-busy={changes.isPending}
    >
      <h3>Recorded changes</h3>
      {changes.data ? (
        <Changes changes={changes.data} />
      ) : changes.isError ? (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {sentenceOf(changes.error)}
          <Button size="small" busy={changes.isFetching} onClick={() => void changes.refetch()}>
            Retry
          </Button>
        </p>
      ) : (
        <Skeleton width="60%" />
      )}
    </section>
  );
}

function Changes({ changes }: { changes: readonly RoleChange[] }) {
  if (changes.length === 0) return <p className="note">No role has been given or taken yet.</p>;
  return (
    <ul role="list" className="max-h-48 overflow-y-auto text-1 tabular-nums [&_li]:py-1 [&_li]:px-0">
      {changes.map((change) => (
        <li key={`${change.at} ${change.by.id}`}>
          <Day time={change.at} /> {change.by.fullname} {wordsOf(change)}
        </li>
      ))}
    </ul>
  );
}

/** "gave Auditor", "took Admin", or both. */
function wordsOf({ given, taken }: RoleChange): string {
  return [given.length > 0 && `gave ${given.join(', ')}`, taken.length > 0 && `took ${taken.join(', ')}`]
    .filter(Boolean)
    .join(' and ');
}
