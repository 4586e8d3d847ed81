import * as m from '#words/messages.js';
import { useMayForOthers } from '../../lib/session.js';
import { StaffButtonLink } from '../../domain/staff-link.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import ChevronDown from 'lucide-react/icons/chevron-down';
import * as Accordion from 'radix-ui/accordion';
import {
  editReader,
  listReaders,
  type ReaderSort,
  readerSortSchema,
  USERS_PAGE_SIZE,
} from '#contracts/accounts/readers.js';
import { GENDER_NAMES, ROLE_NAMES } from '#contracts/accounts/account-names.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { ROLES } from '#contracts/permissions.js';
import { READER_KINDS, READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { May } from '../../domain/may.js';
import { listReaderImports } from '#contracts/accounts/reader-import.js';
import { ListPage, NothingMatches } from '../../components/list/list-page.js';
import { CountryName } from '../../domain/readers/country-name.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { queryOf } from '../../lib/api/send.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { Fact } from '../../components/display/fact.js';
import { isoDay } from '../../lib/dates.js';
import { UserDialog } from './user-dialog.js';
import styles from './users-page.module.css';
import { classNames } from '../../lib/class-names.js';

const USERS = 'border-t border-line-strong text-1 [transition:opacity_var(--quick)]';

const ANY = 'any';
const KINDS = [
  { value: ANY, label: m.users_all_kinds() },
  ...READER_KINDS.map((value) => ({ value, label: READER_KIND_LABELS[value]() })),
] as const;
const SORT_NAMES = {
  Username: m.common_username,
  Name: m.users_by_name,
} satisfies Record<ReaderSort, () => string>;
const SORTS = readerSortSchema.options.map((value) => ({ value, label: SORT_NAMES[value]() }));

const ADDRESS = {
  SearchTerm: searchParameter,
  SortBy: oneOf('sort', readerSortSchema.options, 'Username'),
  kind: oneOf('kind', [ANY, ...READER_KINDS], ANY),
  pageNumber: pageParameter,
} as const;

/** The readers, for admins (specification, section 2, "Admin users"). */
export function UsersPage() {
  usePageTitle(m.common_users());
  const address = useAddress(ADDRESS);
  const [{ kind, ...query }, change] = address;
  const pageSize = USERS_PAGE_SIZE;
  const users = useQuery({
    ...queryOf(listReaders, { query: { ...query, ...(kind !== ANY && { Kind: kind }), pageSize } }),
    placeholderData: keepPreviousData,
  });
  const list = useList(address, users, pageSize);
  const [edited, setEdited] = useState<Reader | null>(null);
  return (
    <>
      <ListPage
        list={list}
        title={m.common_users()}
        label={m.common_readers()}
        count={({ totalCount }) => m.list_readers_count({ count: totalCount })}
        actions={
          <May make={listReaderImports}>
            <ButtonLink to="/admin/users/imports">{m.readers_import_title()}</ButtonLink>
          </May>
        }
        search={{ label: m.users_search(), placeholder: m.users_search_hint() }}
        choices={[
          { label: m.users_kind(), of: 'kind', options: KINDS },
          { label: m.list_sort_by(), of: 'SortBy', options: SORTS },
        ]}
        tools={
          <StaffButtonLink look="plain" size="small" to="/admin/users/sets">
            {m.sets_title()}
          </StaffButtonLink>
        }
        pagesLabel={m.list_readers_pages()}
        empty={
          <NothingMatches
            title={m.list_readers_none()}
            all={m.list_readers_all()}
            onClear={() => change({ SearchTerm: '', kind: ANY, pageNumber: 1 })}
          >
            {kind === ANY ? m.users_try_less() : m.users_only_kind({ kind: READER_KIND_LABELS[kind]() })}
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

interface UsersListProps {
  /** Undefined while loading. */
  users: readonly Reader[] | undefined;
  /** Another page is on its way. */
  stale: boolean;
  onEdit: (user: Reader) => void;
}

/** One reader expanded at a time; clicking again collapses. */
export function UsersList({ users, stale, onEdit }: UsersListProps) {
  const mayEdit = useMayForOthers(editReader);
  if (!users) {
    return (
      <div className={USERS} role="group" aria-busy="true" aria-label={m.users_loading()}>
        {Array.from({ length: 10 }, (_, row) => (
          <div key={row} className="flex items-center min-h-10.5 px-2 border-b border-line">
            <Skeleton width={`${70 - ((row * 13) % 35)}%`} />
          </div>
        ))}
      </div>
    );
  }
  return (
    <Accordion.Root
      type="single"
      collapsible
      className={USERS}
      aria-busy={stale || undefined}
      data-stale={stale || undefined}
    >
      {users.map((user) => (
        <Accordion.Item
          key={user.id}
          value={user.id}
          className="group/user border-b border-line data-[state=open]:bg-surface"
          data-user={user.userName}
        >
          <Accordion.Header className="[font-family:inherit] [font-size:inherit] font-regular tracking-[0] leading-[1.45]">
            <Accordion.Trigger className={styles.trigger}>
              <span className="font-strong wrap-anywhere phone:font-serif phone:text-3">{user.fullname}</span>
              <span className="wrap-anywhere text-ink-soft phone:col-start-1">{user.userName}</span>
              <span className="wrap-anywhere text-ink-soft phone:col-start-1">{user.email}</span>
              <span className="flex flex-wrap justify-end gap-1 phone:col-start-1 phone:justify-start phone:empty:hidden">
                {marksOf(user).map((mark) => (
                  <span key={mark} className="px-2 border border-line-strong rounded text-ink-soft">
                    {mark}
                  </span>
                ))}
              </span>
              <ChevronDown
                size={18}
                className={classNames(
                  'text-ink-soft [transition:transform_var(--quick)]',
                  'group-data-[state=open]/user:[transform:rotate(180deg)]',
                  'phone:col-start-2 phone:row-start-1',
                )}
                aria-hidden="true"
              />
            </Accordion.Trigger>
          </Accordion.Header>
          <Accordion.Content className={styles.content}>
            <dl className="grid grid-cols-4 gap-x-4 gap-y-3 w-full [&_dd]:text-2 [&_dd]:wrap-anywhere to-820:grid-cols-2">
              {factsOf(user).map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ))}
            </dl>
            <div className="flex flex-wrap gap-2 phone:w-full phone:[&>*]:w-full">
              {mayEdit && (
                <Button
                  look="primary"
                  size="small"
                  aria-label={m.users_edit_named({ name: user.fullname })}
                  onClick={() => onEdit(user)}
                >
                  {m.common_edit()}
                </Button>
              )}
              <StaffButtonLink
                size="small"
                to={`/admin/readers/${user.id}`}
                aria-label={m.users_books_and_card_of({ name: user.fullname })}
              >
                {m.users_books_and_card()}
              </StaffButtonLink>
            </div>
          </Accordion.Content>
        </Accordion.Item>
      ))}
    </Accordion.Root>
  );
}

/** In what they are not like most. */
function marksOf({ kind, roles }: Reader): string[] {
  return [
    ...(kind === 'adult' ? [] : [READER_KIND_LABELS[kind]()]),
    ...ROLES.filter((role) => role !== 'Reader' && roles.includes(role)).map((role) => ROLE_NAMES[role]()),
  ];
}

const knownOf = (facts: [string, string | null][]): [string, string][] =>
  facts.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]]));

function factsOf(user: Reader): [string, ReactNode][] {
  return [
    [m.common_username(), user.userName],
    [m.common_email(), user.email],
    [m.account_fact_firstname(), user.firstname],
    [m.account_fact_lastname(), user.lastname],
    [m.account_fact_date_of_birth(), user.dateOfBirth],
    [m.users_since(), isoDay(user.created)],
    [m.account_gender(), GENDER_NAMES[user.gender]()],
    [m.account_country(), <CountryName name={user.country} />],
    [m.account_city(), user.city],
    [m.account_address(), user.adress],
    [m.account_fact_postal_code(), user.postalCode],
    [m.account_reader_kind(), READER_KIND_LABELS[user.kind]()],
    ...knownOf([
      [m.common_phone(), user.phone],
      [m.account_guardian(), user.guardian],
      [m.account_member_until(), user.memberUntil],
    ]),
  ];
}
