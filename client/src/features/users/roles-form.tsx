import { useState } from 'react';
import { roleSchema, type Reader, type Role } from '#contracts/accounts/account-views.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useUser } from '../../lib/session.js';
import styles from './roles.module.css';
import { useSaveRoles } from './save-roles.js';

const ROLES: readonly { role: Role; means: string }[] = [
  { role: 'Reader', means: 'Rents books and pays fines. Everybody is a reader.' },
  { role: 'Auditor', means: 'Replays the borrow history of any reader.' },
  { role: 'Admin', means: 'Manages the collection, the readers and the borrows.' },
];

interface RolesFormProps {
  user: Reader;
  chosen: readonly Role[] | null;
  onChoose: (roles: readonly Role[] | null) => void;
}

/** What an account may do. Taking the role Admin away asks first. */
export function RolesForm({ user, chosen, onChoose }: RolesFormProps) {
  const me = useUser();
  const save = useSaveRoles(user.id);
  const [asking, setAsking] = useState(false);
  const roles = chosen ?? user.roles;
  const own = me?.id === user.id;

  const choose = (role: Role, has: boolean) => {
    const next = roleSchema.options.filter((each) => (each === role ? has : roles.includes(each)));
    const changed = roleSchema.options.some((each) => next.includes(each) !== user.roles.includes(each));
    save.reset();
    onChoose(changed ? next : null);
  };
  const send = () => {
    setAsking(false);
    save.mutate(roles, { onSuccess: () => onChoose(null) });
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
        <legend className="mb-1 p-0 font-serif font-medium">Roles</legend>
        {ROLES.map(({ role, means }) => (
          <label key={role} className={styles.role}>
            <input
              type="checkbox"
              checked={role === 'Reader' || roles.includes(role)}
              disabled={role === 'Reader'}
              onChange={(event) => choose(role, event.target.checked)}
            />
            <span className="font-strong">{role}</span>
            <span className="text-ink-soft text-1 to-480:col-start-2">{means}</span>
          </label>
        ))}
      </fieldset>
      {save.isError && (
        <p className="p-3 rounded bg-danger-wash text-danger" role="alert">
          {sentenceOf(save.error)}
        </p>
      )}
      <div>
        <Button type="submit" disabled={chosen === null} busy={save.isPending}>
          Save roles
        </Button>
      </div>
      {asking && (
        <Confirmation
          question={own ? 'Take the role Admin from yourself?' : `Take the role Admin from ${user.fullname}?`}
          action="Take it away"
          onConfirm={send}
          onDecline={() => setAsking(false)}
        >
          {own
            ? 'You leave the administrator area at once, and only another admin can give you the role again.'
            : 'The administrator area closes for this person at once.'}
        </Confirmation>
      )}
    </form>
  );
}
