import type { Reader } from '#contracts/accounts/account-views.js';
import { EndSessions } from '../../domain/readers/end-sessions.js';
import { ReaderDialog } from '../../domain/readers/reader-dialog.js';
import { getProfile } from './get-profile.js';

export function EditProfile({ reader, onClose }: { reader: Reader; onClose: () => void }) {
  return (
    <ReaderDialog title="Edit Profile" reader={reader} load={() => getProfile()} onClose={onClose}>
      <EndSessions reader={reader} />
    </ReaderDialog>
  );
}
