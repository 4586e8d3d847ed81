import { AuthorityDialog, type AuthorityField, type Named } from '../authorities/authority-dialog.js';
import type { Publisher, PublisherBody } from '#contracts/catalogue/publisher.js';
import { getPublisher } from './get-publishers.js';
import { useSavePublisher } from './save-publisher.js';

const FIELDS: readonly AuthorityField<PublisherBody>[] = [
  { name: 'name', label: 'Name', required: 'Name is required (2-100 characters).' },
  { name: 'adress', label: 'Address', required: 'Address is required (5-200 characters).' },
  {
    name: 'phone',
    label: 'Phone',
    required: 'Invalid phone number format (e.g., +48 123-456-789)',
    type: 'tel',
  },
  {
    name: 'website',
    label: 'Website',
    required: 'Invalid website URL (e.g., https://www.example.com)',
    type: 'url',
  },
];

const EMPTY: PublisherBody = { name: '', adress: '', phone: '', website: '' };

const bodyOf = ({ name, adress, phone, website }: Publisher): PublisherBody => ({
  name,
  adress,
  phone,
  website,
});

interface PublisherDialogProps {
  /** The publisher that is edited; none when one is added. */
  edited?: Publisher | undefined;
  /** What is known of a new one. */
  prefilled?: Partial<PublisherBody>;
  onSaved: (publisher: Named) => void;
  onClose: () => void;
}

export function PublisherDialog({ edited, prefilled, onSaved, onClose }: PublisherDialogProps) {
  const save = useSavePublisher();
  return (
    <AuthorityDialog
      noun="Publisher"
      fields={FIELDS}
      initial={edited ? bodyOf(edited) : { ...EMPTY, ...prefilled }}
      edited={edited}
      save={save}
      load={getPublisher}
      bodyOf={bodyOf}
      onSaved={onSaved}
      onClose={onClose}
    />
  );
}
