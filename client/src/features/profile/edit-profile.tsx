import * as m from '#words/messages.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { readProfile } from '#contracts/accounts/readers.js';
import { EndSessions, ReaderDialog } from '../../domain/readers/reader-dialog.js';
import { send } from '../../lib/api/send.js';

export function EditProfile({ reader, onClose }: { reader: Reader; onClose: () => void }) {
  return (
    <ReaderDialog
      title={m.common_edit_profile()}
      reader={reader}
      load={() => send(readProfile)}
      onClose={onClose}
    >
      <EndSessions reader={reader} />
    </ReaderDialog>
  );
}
