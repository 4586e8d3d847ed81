import { useState } from 'react';
import type { Reader, Role } from '#contracts/accounts/account-views.js';
import { EndSessions } from '../../domain/readers/end-sessions.js';
import { ReaderDialog } from '../../domain/readers/reader-dialog.js';
import { getUser } from './get-users.js';
import { RoleHistory } from './role-history.js';
import { RolesForm } from './roles-form.js';

interface UserDialogProps {
  user: Reader;
  onClose: () => void;
}

/** The reader dialog with what only admins may do in it. */
export function UserDialog({ user, onClose }: UserDialogProps) {
  /** The roles as chosen and not saved yet; null where nothing was chosen. */
  const [chosen, setChosen] = useState<readonly Role[] | null>(null);
  return (
    <ReaderDialog
      title={`Edit ${user.fullname}`}
      reader={user}
      load={() => getUser(user.id)}
      onClose={onClose}
      withKind
      unsavedBelow={chosen !== null}
    >
      <RolesForm user={user} chosen={chosen} onChoose={setChosen} />
      <RoleHistory userId={user.id} />
      <EndSessions reader={user} />
    </ReaderDialog>
  );
}
