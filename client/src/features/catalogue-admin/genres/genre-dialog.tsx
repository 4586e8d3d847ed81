import { AuthorityDialog, type AuthorityField, type Named } from '../authorities/authority-dialog.js';
import type { Genre, GenreBody } from '#contracts/catalogue/genre.js';
import { getGenre } from './get-genres.js';
import { useSaveGenre } from './save-genre.js';

const FIELDS: readonly AuthorityField<GenreBody>[] = [
  { name: 'name', label: 'Name', required: 'Name is required (2-50 characters).' },
  {
    name: 'description',
    label: 'Description',
    required: 'Description is required (10-500 characters).',
    type: 'multiline',
  },
];

const EMPTY: GenreBody = { name: '', description: '' };

const bodyOf = ({ name, description }: Genre): GenreBody => ({
  name,
  description,
});

interface GenreDialogProps {
  /** The genre that is edited; none when one is added. */
  edited?: Genre | undefined;
  /** What is known of a new one. */
  prefilled?: Partial<GenreBody>;
  onSaved: (genre: Named) => void;
  onClose: () => void;
}

export function GenreDialog({ edited, prefilled, onSaved, onClose }: GenreDialogProps) {
  const save = useSaveGenre();
  return (
    <AuthorityDialog
      noun="Genre"
      fields={FIELDS}
      initial={edited ? bodyOf(edited) : { ...EMPTY, ...prefilled }}
      edited={edited}
      save={save}
      load={getGenre}
      bodyOf={bodyOf}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}
