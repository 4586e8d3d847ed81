import {
  PUBLISHERS_PAGE_SIZE,
  publisherSortSchema,
  type Publisher,
  type PublisherSort,
} from '#contracts/catalogue/publisher.js';
import { Website } from '../../../components/website.js';
import { labels } from '../../../domain/labels.js';
import { AuthorityScreen } from '../authorities/authority-screen.js';
import type { AuthorityColumn } from '../authorities/authority-table.js';
import { useListAddress } from '../authorities/use-list-address.js';
import { PublisherDialog } from './publisher-dialog.js';
import { useDeletePublisher } from './delete-publisher.js';
import { usePublisherPage } from './get-publishers.js';

const SORTS: readonly { value: PublisherSort; label: string }[] = [
  { value: 'NameA-Z', label: 'Name A-Z' },
  { value: 'NameZ-A', label: 'Name Z-A' },
  { value: 'AddressA-Z', label: 'Address A-Z' },
  { value: 'AddressZ-A', label: 'Address Z-A' },
];

const COLUMNS: readonly AuthorityColumn<Publisher>[] = [
  { title: 'Name', cell: ({ name }) => name, text: ({ name }) => name, look: 'name' },
  { title: 'Address', cell: ({ adress }) => adress, text: ({ adress }) => adress },
  { title: 'Phone', cell: ({ phone }) => phone, text: ({ phone }) => phone },
  { title: 'Website', cell: ({ website }) => <Website url={website} />, text: ({ website }) => website },
];

const LIST = {
  sorts: publisherSortSchema.options,
  usualSort: 'NameA-Z',
  pageSize: PUBLISHERS_PAGE_SIZE,
} as const;

export function PublishersPage() {
  const address = useListAddress<PublisherSort>(LIST);
  const list = usePublisherPage(address.query);
  const deletion = useDeletePublisher();
  return (
    <AuthorityScreen
      title={labels.publishersHeading}
      addButton={labels.addPublisherButton}
      noun={['publisher', 'publishers']}
      searchPlaceholder="Search publishers by Name"
      sorts={SORTS}
      address={address}
      list={list}
      columns={COLUMNS}
      nameOf={({ name }) => name}
      deleteQuestion="Are you sure you want to delete this publisher?"
      deletion={deletion}
      dialog={(edited, close) => <PublisherDialog edited={edited} onSaved={close} onClose={close} />}
    />
  );
}
