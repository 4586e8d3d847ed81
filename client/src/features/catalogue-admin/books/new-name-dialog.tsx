import type { PickerOption } from '../../../components/form/picker-options.js';
import { AuthorityDialog } from '../authorities/authority-dialog.js';
import { AUTHORS, GENRES, PUBLISHERS } from '../authorities/authority-kinds.js';
import type { NewName } from './new-name.js';

interface NewNameDialogProps {
  name: NewName;
  onSaved: (saved: PickerOption) => void;
  onClose: () => void;
}

/** The dialog for a name that the book needs and the catalogue does not have yet. */
export function NewNameDialog({ name, ...dialog }: NewNameDialogProps) {
  switch (name.kind) {
    case 'author':
      return <AuthorityDialog kind={AUTHORS} prefilled={name.known} {...dialog} />;
    case 'genre':
      return <AuthorityDialog kind={GENRES} prefilled={name.known} {...dialog} />;
    case 'publisher':
      return <AuthorityDialog kind={PUBLISHERS} prefilled={name.known} {...dialog} />;
  }
}
