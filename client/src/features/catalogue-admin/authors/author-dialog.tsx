import { AuthorityDialog, type AuthorityField, type Named } from '../authorities/authority-dialog.js';
import type { Author, AuthorBody } from '#contracts/catalogue/author.js';
import { getAuthor } from './get-authors.js';
import { useSaveAuthor } from './save-author.js';

const FIELDS: readonly AuthorityField<AuthorBody>[] = [
  { name: 'firstname', label: 'Firstname', required: 'Firstname is required (2-50 characters).' },
  { name: 'lastname', label: 'Lastname', required: 'Lastname is required (2-50 characters).' },
  { name: 'nationality', label: 'Nationality', required: 'Nationality is required (2-50 characters).' },
  {
    name: 'biography',
    label: 'Biography',
    required: 'Biography is required (10-1000 characters).',
    type: 'multiline',
  },
];

const EMPTY: AuthorBody = { firstname: '', lastname: '', nationality: '', biography: '' };

const bodyOf = ({ firstname, lastname, nationality, biography }: Author): AuthorBody => ({
  firstname,
  lastname,
  nationality,
  biography,
});

interface AuthorDialogProps {
  /** The author that is edited; none when one is added. */
  edited?: Author | undefined;
  /** What is known of a new one. */
  prefilled?: Partial<AuthorBody>;
  onSaved: (author: Named) => void;
  onClose: () => void;
}

export function AuthorDialog({ edited, prefilled, onSaved, onClose }: AuthorDialogProps) {
  const save = useSaveAuthor();
  return (
    <AuthorityDialog
      noun="Author"
      fields={FIELDS}
      initial={edited ? bodyOf(edited) : { ...EMPTY, ...prefilled }}
      edited={edited}
      save={save}
      load={getAuthor}
      bodyOf={bodyOf}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}
