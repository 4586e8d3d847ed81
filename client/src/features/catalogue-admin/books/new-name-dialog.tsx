import { AuthorDialog } from '../authors/author-dialog.js';
import type { Named } from '../authorities/authority-dialog.js';
import { GenreDialog } from '../genres/genre-dialog.js';
import { PublisherDialog } from '../publishers/publisher-dialog.js';
import type { NewName } from './new-name.js';

interface NewNameDialogProps {
  name: NewName;
  onSaved: (saved: Named) => void;
  onClose: () => void;
}

/** The dialog for a name that the book needs and the catalogue does not have yet. */
export function NewNameDialog({ name, ...dialog }: NewNameDialogProps) {
  switch (name.kind) {
    case 'author':
      return <AuthorDialog prefilled={name.known} {...dialog} />;
    case 'genre':
      return <GenreDialog prefilled={name.known} {...dialog} />;
    case 'publisher':
      return <PublisherDialog prefilled={name.known} {...dialog} />;
  }
}
