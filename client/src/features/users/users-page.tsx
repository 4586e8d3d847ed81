import { useState } from 'react';
import { readerSortSchema, USERS_PAGE_SIZE, type Reader } from '#contracts/accounts/account-views.js';
import { READER_KIND_WORDS, READER_KINDS } from '#contracts/rules/kinds.js';
import { ListPage, NothingMatches } from '../../components/list-page.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { useUsers } from './get-users.js';
import { UserDialog } from './user-dialog.js';
import { UsersList } from './users-list.js';

const NOUN = ['reader', 'readers'] as const;
const ANY = 'any';
const KINDS = [
  { value: ANY, label: 'All kinds' },
  ...READER_KINDS.map((value) => ({ value, label: READER_KIND_WORDS[value] })),
] as const;
const SORTS = readerSortSchema.options.map((value) => ({ value, label: value }));

const ADDRESS = {
  SearchTerm: searchParameter,
  SortBy: oneOf('sort', readerSortSchema.options, 'Username'),
  kind: oneOf('kind', [ANY, ...READER_KINDS], ANY),
  pageNumber: pageParameter,
} as const;

/** The readers, for admins (specification, section 2, "Admin users"). */
export function UsersPage() {
  usePageTitle('Users');
  const address = useAddress(ADDRESS);
  const [{ kind, ...query }, change] = address;
  const pageSize = USERS_PAGE_SIZE;
  const users = useUsers({ ...query, ...(kind !== ANY && { Kind: kind }), pageSize });
  const list = useList(address, users, pageSize);
  const [edited, setEdited] = useState<Reader | null>(null);
  return (
    <>
      <ListPage
        list={list}
        title="Users"
        noun={NOUN}
        label="Readers"
        count={({ totalCount }) => `${totalCount} ${totalCount === 1 ? 'reader' : 'readers'}`}
        search={{ label: 'Search users', placeholder: 'Search by name, username or email' }}
        choices={[
          { label: 'Kind', of: 'kind', options: KINDS },
          { label: 'Sort by', of: 'SortBy', options: SORTS },
        ]}
        pagesLabel="Pages of the readers"
        empty={
          <NothingMatches noun={NOUN} onClear={() => change({ SearchTerm: '', kind: ANY, pageNumber: 1 })}>
            {kind === ANY
              ? 'Try a part of the name, of the username or of the e-mail address.'
              : `Only those of the kind “${READER_KIND_WORDS[kind]}” are looked for.`}
          </NothingMatches>
        }
      >
        {(page, stale) => <UsersList users={page?.items} stale={stale} onEdit={setEdited} />}
      </ListPage>
      {edited && (
        <UserDialog
          // As the list has it now, which is asked for again when a role has changed.
          user={users.data?.items.find(({ id }) => id === edited.id) ?? edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
