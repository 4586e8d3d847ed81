import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PERMISSION_NAMES, ROLE_NAMES } from '#contracts/accounts/account-names.js';
import type { Reader } from '#contracts/accounts/reader.js';
import {
  BUILT_IN,
  builtInOf,
  isRole,
  PERMISSIONS,
  rightsOf,
  ROLES,
  type Rights,
  type Role,
} from '#contracts/permissions.js';
import {
  endSessions,
  readReader,
  readRoleChanges,
  type RoleChange,
  setRoles,
} from '#contracts/accounts/readers.js';
import { listSets } from '#contracts/accounts/permission-sets.js';
import { money } from '#contracts/money.js';
import { MAX_PAGE_SIZE } from '#contracts/paging.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Day } from '../../components/display/day.js';
import { Button } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { queryKeys } from '../../domain/query-keys.js';
import { EndSessions, ReaderDialog } from '../../domain/readers/reader-dialog.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, send, useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { session, useMayForOthers, useUser } from '../../lib/session.js';
import { May } from '../../domain/may.js';
import { textOf } from './sets-page.js';
import styles from './roles.module.css';
import { Notice } from '../../components/dialog/notice.js';

interface UserDialogProps {
  user: Reader;
  onClose: () => void;
}

/** The reader dialog with what only admins may do in it. */
export function UserDialog({ user, onClose }: UserDialogProps) {
  /** The roles as chosen and not saved yet; null where nothing was chosen. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  return (
    <ReaderDialog
      title={m.users_edit_named({ name: user.fullname })}
      reader={user}
      load={() => send(readReader, { params: { id: user.id } })}
      onClose={onClose}
      withKind
      unsavedBelow={chosen !== null}
    >
      <May make={setRoles}>
        <RolesForm user={user} chosen={chosen} onChoose={setChosen} />
      </May>
      <May make={readRoleChanges}>
        <RoleHistory userId={user.id} />
      </May>
      {useMayForOthers(endSessions) && <EndSessions reader={user} />}
    </ReaderDialog>
  );
}

const MEANINGS: Record<Role, string> = {
  Reader: m.users_role_reader_means(),
  Librarian: m.users_role_librarian_means(),
  Cataloguer: m.users_role_cataloguer_means(),
  Auditor: m.users_role_auditor_means(),
  Admin: m.users_role_admin_means(),
};

interface RolesFormProps {
  user: Reader;
  chosen: readonly string[] | null;
  onChoose: (roles: readonly string[] | null) => void;
}

/** What an account may do. Taking the role Admin away asks first. */
function RolesForm({ user, chosen, onChoose }: RolesFormProps) {
  const client = useQueryClient();
  const self = useUser();
  const own = self?.id === user.id;
  const sets = useQuery({ ...queryOf(listSets), meta: { inPlace: true } });
  const save = useCall(setRoles, {
    // Why it was refused is shown beside them.
    meta: { inPlace: true },
    onSuccess: async (reader) => {
      notify.success(m.users_roles_saved());
      // One's own: without waiting for the message, and also where none comes.
      const further = (sets.data ?? []).filter(({ id }) => reader.roles.includes(id));
      const { permissions } = rightsOf([...builtInOf(reader.roles), ...further]);
      if (own) session.changeRights({ ...reader, permissions: [...permissions] });
      await client.invalidateQueries({ queryKey: queryKeys.readers });
    },
  });
  const [asking, setAsking] = useState(false);
  const roles = chosen ?? user.roles;

  const canGive = ({ permissions }: Rights) =>
    permissions.every((each) => self?.permissions.includes(each) ?? false);

  const choose = (role: string, has: boolean) => {
    const next = [...roles.filter((each) => each !== role), ...(has ? [role] : [])];
    const changed = next.length !== user.roles.length || next.some((each) => !user.roles.includes(each));
    save.reset();
    onChoose(changed ? next : null);
  };
  const send = () => {
    setAsking(false);
    save.mutate({ query: { id: user.id }, body: { roles: [...roles] } }, { onSuccess: () => onChoose(null) });
  };
  const takesAdmin = user.roles.includes('Admin') && !roles.includes('Admin');

  return (
    <form
      className="flex flex-col gap-3 pt-4 border-t border-line"
      onSubmit={(event) => {
        event.preventDefault();
        if (save.isPending || chosen === null) return;
        if (takesAdmin) setAsking(true);
        else send();
      }}
    >
      <fieldset className="flex flex-col min-w-0 m-0 p-0 border-0" disabled={save.isPending}>
        <legend className="mb-1 p-0 font-serif font-medium">{m.users_roles()}</legend>
        {ROLES.map((role) => (
          <label key={role} className={styles.role}>
            <input
              type="checkbox"
              checked={role === 'Reader' || roles.includes(role)}
              disabled={role === 'Reader' || !canGive(BUILT_IN[role])}
              onChange={(event) => choose(role, event.target.checked)}
            />
            <span className="font-strong">{ROLE_NAMES[role]()}</span>
            <span className="text-ink-soft text-1 to-480:col-start-2">{MEANINGS[role]}</span>
          </label>
        ))}
        {sets.data?.map((set) => (
          <label key={set.id} className={styles.role}>
            <input
              type="checkbox"
              checked={roles.includes(set.id)}
              disabled={!canGive(set)}
              onChange={(event) => choose(set.id, event.target.checked)}
            />
            <span className="font-strong">{set.name}</span>
            <span className="text-ink-soft text-1 to-480:col-start-2">{textOf(set)}</span>
          </label>
        ))}
        {sets.isError && <Notice>{sentenceOf(sets.error)}</Notice>}
      </fieldset>
      {save.isError && <Notice>{sentenceOf(save.error)}</Notice>}
      <div>
        <Button type="submit" disabled={chosen === null} busy={save.isPending}>
          {m.users_roles_save()}
        </Button>
      </div>
      {asking && (
        <Confirmation
          question={
            own ? m.users_admin_remove_own_question() : m.users_admin_remove_question({ name: user.fullname })
          }
          action={m.users_admin_remove()}
          onConfirm={send}
          onDecline={() => setAsking(false)}
        >
          {own ? m.users_admin_remove_own_loss() : m.users_admin_remove_loss()}
        </Confirmation>
      )}
    </form>
  );
}

/** Every role that was given or taken, as it is recorded for good. */
function RoleHistory({ userId }: { userId: string }) {
  const changes = useQuery({
    ...queryOf(readRoleChanges, { query: { id: userId, pageNumber: 1, pageSize: MAX_PAGE_SIZE } }),
    meta: { inPlace: true },
  });
  return (
    <section
      className="flex flex-col gap-3 pt-4 border-t border-line"
      aria-label={m.users_role_changes()}
      aria-busy={changes.isPending}
    >
      <h3>{m.users_changes()}</h3>
      {changes.data ? (
        <Changes changes={changes.data} />
      ) : changes.isError ? (
        <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
          {sentenceOf(changes.error)}
          <Button size="small" busy={changes.isFetching} onClick={() => void changes.refetch()}>
            {m.common_retry()}
          </Button>
        </p>
      ) : (
        <Skeleton width="60%" />
      )}
    </section>
  );
}

function Changes({ changes }: { changes: readonly RoleChange[] }) {
  if (changes.length === 0) return <p className="note">{m.users_no_changes()}</p>;
  return (
    <ul role="list" className="max-h-48 overflow-y-auto text-1 tabular-nums [&_li]:py-1 [&_li]:px-0">
      {changes.map((change) => (
        <li key={`${change.at} ${change.by.id}`}>
          <Day time={change.at} /> {wordsOf(change)}
        </li>
      ))}
    </ul>
  );
}

/** "Anna Nowak gave Auditor", "… took Admin", or both; in front of it the set in which it was. */
function wordsOf({ by, set, given, taken }: RoleChange): string {
  const namesOf = (keys: readonly string[]) => keys.map(nameOf).join(', ');
  const words = { name: by.fullname, given: namesOf(given), taken: namesOf(taken) };
  const what =
    taken.length === 0
      ? m.users_roles_given(words)
      : given.length === 0
        ? m.users_roles_taken(words)
        : m.users_roles_given_and_taken(words);
  return set === null ? what : `${set}: ${what}`;
}

/** A set by its name, or what a set allows. */
function nameOf(key: string): string {
  if (isRole(key)) return ROLE_NAMES[key]();
  const [, limit] = /^waive:(\d*)$/.exec(key) ?? [];
  if (limit) return m.permission_waive_up_to({ amount: money(Number(limit)) });
  const permission = limit === '' ? 'waive' : PERMISSIONS.find((each) => each === key);
  return permission ? PERMISSION_NAMES[permission]() : key;
}
