import {
  AUTHORS_PAGE_SIZE,
  authorSortSchema,
  type Author,
  type AuthorSort,
} from '#contracts/catalogue/author.js';
import { AuthorityScreen } from '../authorities/authority-screen.js';
import type { AuthorityColumn } from '../authorities/authority-table.js';
import { useListAddress } from '../authorities/use-list-address.js';
import { AuthorDialog } from './author-dialog.js';
import { useDeleteAuthor } from './delete-author.js';
import { useAuthorPage } from './get-authors.js';

const SORTS: readonly { value: AuthorSort; label: string }[] = [
  { value: 'Firstname', label: 'Firstname' },
  { value: 'Lastname', label: 'Lastname' },
  { value: 'Nationality', label: 'Nationality' },
];

const COLUMNS: readonly AuthorityColumn<Author>[] = [
  {
    title: 'Firstname',
    cell: ({ firstname }) => firstname,
    text: ({ firstname }) => firstname,
    look: 'name',
  },
  { title: 'Lastname', cell: ({ lastname }) => lastname, text: ({ lastname }) => lastname, look: 'name' },
  { title: 'Nationality', cell: ({ nationality }) => nationality, text: ({ nationality }) => nationality },
];

const LIST = { sorts: authorSortSchema.options, usualSort: 'Lastname', pageSize: AUTHORS_PAGE_SIZE } as const;

export function AuthorsPage() {
  const address = useListAddress<AuthorSort>(LIST);
  const list = useAuthorPage(address.query);
  const deletion = useDeleteAuthor();
  return (
    <AuthorityScreen
      title="Authors"
      addButton="Add Author"
      noun={['author', 'authors']}
      searchPlaceholder="Search authors by Name"
      sorts={SORTS}
      address={address}
      list={list}
      columns={COLUMNS}
      nameOf={({ fullname }) => fullname}
      deleteQuestion="Are you sure you want to delete this author?"
      deletion={deletion}
      dialog={(edited, close) => <AuthorDialog edited={edited} onSaved={close} onClose={close} />}
    />
  );
}
