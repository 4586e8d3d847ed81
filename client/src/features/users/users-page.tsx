import { useRef, useState } from 'react';
import {
  readerSortSchema,
  USERS_PAGE_SIZE,
  type Reader,
  type ReaderSort,
} from '#contracts/accounts/account-views.js';
import { READER_KIND_WORDS, READER_KINDS } from '#contracts/rules/kinds.js';
import { Button } from '../../components/button.js';
import { Choice } from '../../components/choice.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SearchBox } from '../../components/search-box.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useUsers } from './get-users.js';
import { UserDialog } from './user-dialog.js';
import { UsersList } from './users-list.js';
import styles from '../../components/list-page.module.css';

const SORTS: readonly { value: ReaderSort; label: string }[] = [
  { value: 'Username', label: 'Username' },
  { value: 'Name', label: 'Name' },
];

const ANY = 'any';
const KINDS = [
  { value: ANY, label: 'All kinds' },
  ...READER_KINDS.map((value) => ({ value, label: READER_KIND_WORDS[value] })),
] as const;

const SEARCH_DELAY_MS = 500;

const ADDRESS = {
  SearchTerm: searchParameter,
  SortBy: oneOf('sort', readerSortSchema.options, 'Username'),
  kind: oneOf('kind', [ANY, ...READER_KINDS], ANY),
  pageNumber: pageParameter,
} as const;

/** The readers, for admins (specification, section 2, "Admin users"). */
export function UsersPage() {
  usePageTitle('Users');
  const [{ kind, ...address }, change] = useAddress(ADDRESS);
  const query = { ...address, ...(kind !== ANY && { Kind: kind }), pageSize: USERS_PAGE_SIZE };
  const users = useUsers(query);
  const [edited, setEdited] = useState<Reader | null>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const page = users.data;
  const pages = totalPages(page?.totalCount ?? 0, query.pageSize);
  const turn = (next: number) => {
    if (isPage(next, pages)) change({ pageNumber: next });
  };
  const listKeys = useListKeys({ page: query.pageNumber, onPage: turn, search: searchInput });

  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.title}>Users</h2>
        <p className={styles.count} role="status">
          {page && `${page.totalCount} ${page.totalCount === 1 ? 'reader' : 'readers'}`}
        </p>
      </header>
      <div className={styles.tools}>
        <SearchBox
          label="Search users"
          placeholder="Search by name, username or email"
          value={query.SearchTerm}
          onSearch={(SearchTerm) => change({ SearchTerm })}
          delay={SEARCH_DELAY_MS}
          inputRef={searchInput}
        />
        <Choice label="Kind" value={kind} options={KINDS} onChoose={(next) => change({ kind: next })} />
        <Choice
          label="Sort by"
          value={query.SortBy}
          options={SORTS}
          onChoose={(SortBy) => change({ SortBy })}
        />
      </div>
      {users.isError && !page ? (
        <ErrorState error={users.error} onRetry={() => void users.refetch()} retrying={users.isFetching} />
      ) : page?.items.length === 0 ? (
        <EmptyState
          title="No reader matches"
          action={
            <Button onClick={() => change({ SearchTerm: '', kind: ANY, pageNumber: 1 })}>
              Show all readers
            </Button>
          }
        >
          {kind === ANY
            ? 'Try a part of the name, of the username or of the e-mail address.'
            : `Only those of the kind “${READER_KIND_WORDS[kind]}” are looked for.`}
        </EmptyState>
      ) : (
        <section {...listKeys} className={styles.list} aria-label="Readers">
          <UsersList users={page?.items} stale={users.isPlaceholderData} onEdit={setEdited} />
        </section>
      )}
      {pages > 1 && (
        <Pagination label="Pages of the readers" page={query.pageNumber} total={pages} onPage={turn} />
      )}
      {edited && (
        <UserDialog
          // As the list has it now, which is asked for again when a role has changed.
          user={page?.items.find(({ id }) => id === edited.id) ?? edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}
