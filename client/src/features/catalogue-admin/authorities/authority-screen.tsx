import * as m from '#words/messages.js';
import { StaffButtonLink } from '../../../domain/staff-link.js';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AUTHORITIES_PAGE_SIZE } from '#contracts/catalogue/authorities.js';
import { Button } from '../../../components/form/button.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { ListPage, NothingMatches } from '../../../components/list/list-page.js';
import { type ListColumn, ListTable } from '../../../components/list/table.js';
import { usePageTitle } from '../../../domain/use-page-title.js';
import { keyOf, queryOf } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../../lib/use-address.js';
import { useList } from '../../../lib/use-list.js';
import { MergeDialog } from '../merging/merge-dialog.js';
import { SelectionBand, useSelected } from '../selection.js';
import { AuthorityDialog } from './authority-dialog.js';
import { AUTHORS, type Authority, type AuthorityKind, GENRES, PUBLISHERS } from './authority-kinds.js';
import { classNames } from '../../../lib/class-names.js';
import { DeleteConfirmation } from './delete-confirmation.js';

/** On a telephone: a block by itself, with the names of its values beside them. */
const ROW = classNames(
  'phone:[&>td]:grid phone:[&>td]:grid-cols-[6.5rem_minmax(0,1fr)] phone:[&>td]:w-auto phone:[&>td]:h-auto',
  'phone:[&>td]:p-0 phone:[&>td]:border-0 phone:[&>td]:text-left phone:[&>td]:wrap-anywhere phone:[&>td]:whitespace-normal',
  'phone:[&>td[data-label]]:before:content-[attr(data-label)] phone:[&>td]:before:text-ink-soft phone:[&>td]:before:font-regular',
);

type Open<Item> = { kind: 'add' } | { kind: 'edit' | 'delete'; authority: Item };

/** The list of authors, of genres or of publishers: a table, a dialog to add and edit, and a question before deleting. */
export function AuthorityScreen<Item extends Authority & Body, Body extends object, Sort extends string>({
  kind,
}: {
  kind: AuthorityKind<Item, Body, Sort>;
}) {
  const { sorts, usualSort, calls, nameOf } = kind;
  usePageTitle(kind.heading);
  const address = useAddress({
    SearchTerm: searchParameter,
    SortBy: oneOf(
      'sort',
      sorts.map(({ value }) => value),
      usualSort,
    ),
    pageNumber: pageParameter,
  });
  const page = useQuery({
    ...queryOf(calls.page, { query: { ...address[0], pageSize: AUTHORITIES_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const list = useList(address, page, AUTHORITIES_PAGE_SIZE);
  const client = useQueryClient();
  const deletion = useMutation({
    mutationFn: ({ id }: Item) => kind.remove(id),
    meta: { inPlace: true },
    onSuccess: () => notify.success(kind.deleted),
    // After a refusal too: the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: keyOf(calls.read) }),
  });
  const [open, setOpen] = useState<Open<Item> | null>(null);
  const selected = useSelected();
  const [merging, setMerging] = useState(false);
  const close = () => setOpen(null);
  const columns: ListColumn<Item>[] = [
    {
      title: m.authority_id(),
      className: 'w-22 pl-2 text-right text-ink-soft',
      cell: (authority) => (
        <label className="inline-flex items-center justify-end gap-2 min-h-11 cursor-pointer phone:justify-start">
          <input
            type="checkbox"
            aria-label={m.catalogue_select({ name: nameOf(authority) })}
            checked={selected.has(authority.id)}
            onChange={(event) => selected.select(authority.id, nameOf(authority), event.target.checked)}
          />
          {authority.id}
        </label>
      ),
    },
    ...kind.columns.map(({ title, text, cell = text, look }): ListColumn<Item> => ({
      ...{ title, text, cell },
      className: look === 'wide' ? 'one-line w-[40%] phone:block! phone:before:block' : 'one-line',
      ...(look === 'name' && { look }),
    })),
    {
      title: m.common_actions(),
      look: 'action',
      className: 'w-40 pr-2 text-right phone:block! phone:mt-2',
      cell: (authority) => (
        <span className="inline-flex gap-1 phone:flex phone:gap-3 phone:[&>*]:flex-1">
          <Button
            size="small"
            aria-label={m.catalogue_edit_of({ name: nameOf(authority) })}
            onClick={() => setOpen({ kind: 'edit', authority })}
          >
            {m.common_edit()}
          </Button>
          <Button
            size="small"
            look="danger"
            aria-label={m.catalogue_delete_of({ name: nameOf(authority) })}
            onClick={() => setOpen({ kind: 'delete', authority })}
          >
            {m.common_delete()}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <ListPage
        list={list}
        title={kind.heading}
        count={({ totalCount: count }, term) =>
          term === ''
            ? m.list_authorities_count({ kind: kind.kind, count })
            : m.list_authorities_found({ kind: kind.kind, count, term })
        }
        pagesLabel={m.list_authorities_pages({ kind: kind.kind })}
        search={{ label: m.authority_search({ kind: kind.kind }), placeholder: kind.searchHint }}
        choices={[{ label: m.common_sort_by(), of: 'SortBy', options: sorts }]}
        tools={
          <StaffButtonLink look="plain" size="small" to={`/admin/duplicates?part=${kind.kind}s`}>
            {m.catalogue_find_duplicates()}
          </StaffButtonLink>
        }
        actions={
          <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
            {kind.addButton}
          </Button>
        }
        empty={
          list.values.SearchTerm === '' ? (
            <EmptyState title={m.authority_none_yet({ kind: kind.kind })}>
              {m.authority_add_first({ kind: kind.kind })}
            </EmptyState>
          ) : (
            <NothingMatches
              title={m.list_authorities_none({ kind: kind.kind })}
              all={m.list_authorities_all({ kind: kind.kind })}
              onClear={() => list.change({ SearchTerm: '' })}
            >
              {m.catalogue_try_fewer_words()}
            </NothingMatches>
          )
        }
      >
        {(shown, stale) => (
          <>
            <ListTable
              look="list"
              className="[&_td]:h-11"
              columns={columns}
              items={shown?.items}
              keyOf={({ id }) => id}
              waiting={AUTHORITIES_PAGE_SIZE}
              stale={stale}
              rowClassName={ROW}
            />
            <SelectionBand
              selected={selected}
              label={m.authority_selected({ kind: kind.kind })}
              words={([name = '', ...others]) =>
                others.length === 0 ? m.authority_select_another({ name }) : [name, ...others].join(', ')
              }
              onMerge={() => setMerging(true)}
            />
          </>
        )}
      </ListPage>
      {merging && (
        <MergeDialog
          kind={kind.kind}
          ids={selected.ids}
          onMerged={() => {
            selected.clear();
            list.region.current?.focus({ preventScroll: true });
          }}
          onClose={() => setMerging(false)}
        />
      )}
      {open?.kind === 'add' && <AuthorityDialog kind={kind} onSaved={close} onClose={close} />}
      {open?.kind === 'edit' && (
        <AuthorityDialog kind={kind} edited={open.authority} onSaved={close} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <DeleteConfirmation
          question={kind.deleteQuestion}
          wanted={open.authority}
          command={deletion}
          onClose={close}
          listRef={list.region}
        >
          {nameOf(open.authority)}
        </DeleteConfirmation>
      )}
    </>
  );
}

export const AuthorsPage = () => <AuthorityScreen kind={AUTHORS} />;
export const GenresPage = () => <AuthorityScreen kind={GENRES} />;
export const PublishersPage = () => <AuthorityScreen kind={PUBLISHERS} />;
