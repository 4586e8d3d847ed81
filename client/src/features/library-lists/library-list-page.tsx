import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { authorNames, yearText } from '#contracts/catalogue/book-facts.js';
import {
  changeLibraryList,
  fetchLibraryList,
  listLibraryLists,
  readLibraryList,
  removeLibraryList,
  type LibraryList,
} from '#contracts/lists/library-lists.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { BackLink, Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { Finder } from '../../components/form/finder.js';
import { useFoundBooks } from '../../domain/catalogue/found-books.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { useAddToList, type ChangedList } from '../../domain/lists/list-books.js';
import {
  DeleteListQuestion,
  EditableListBooks,
  LoadedList,
  ListAtAddress,
  ListHead,
} from '../../domain/lists/loaded-list.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { useListPages } from '../../domain/lists/list-pages.js';
import listPageStyles from '../../components/list/list-page.module.css';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, sendForFile, useCall } from '../../lib/api/send.js';
import { saveFile } from '../../lib/save-file.js';

const meta = { inPlace: true };

/** Books that are found at a glance. */
const FOUND = 8;

/** One of the library's lists, to be kept. */
export const LibraryListPage = () => <ListAtAddress page={ListOf} />;

function ListOf({ id }: { id: string }) {
  const address = useListPages();
  const { pageNumber } = address[0];
  const lists = useQuery({ ...queryOf(listLibraryLists), refetchOnMount: 'always', meta });
  const books = useQuery({
    ...queryOf(readLibraryList, { params: { id }, query: { pageNumber, pageSize: LIST_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const list = lists.data?.find((each) => each.id === id);
  const name = list?.name ?? books.data?.name ?? m.lists_reading_list();
  usePageTitle(name);
  const changed: ChangedList = { of: 'ReadingList', id, name };
  return (
    <>
      <BackLink to="/admin/lists">{m.lists_reading_lists()}</BackLink>
      <LoadedList
        of={{
          error: lists.error ?? books.error,
          isFetching: lists.isFetching || books.isFetching,
          refetch: () => Promise.all([lists.refetch(), books.refetch()]),
        }}
      >
        {list && books.data && (
          <>
            <Head list={list} />
            <AddBooks list={changed} />
            <EditableListBooks
              list={changed}
              answer={books}
              address={address}
              booksOf={({ items }) => items}
              empty={<EmptyState title={m.lists_empty()}>{m.lists_find_first()}</EmptyState>}
            />
          </>
        )}
      </LoadedList>
    </>
  );
}

function AddBooks({ list }: { list: ChangedList }) {
  const add = useAddToList();
  const [asked, setAsked] = useState('');
  const found = useFoundBooks(asked, FOUND);
  return (
    <div className="max-w-144 mt-2 mb-6">
      <Finder
        label={m.lists_add_books()}
        placeholder={m.lists_add_books_placeholder()}
        asked={asked}
        onSearch={setAsked}
        found={
          asked === ''
            ? undefined
            : found.data?.items.map((book) => ({
                id: String(book.id),
                title: book.title,
                detail: [authorNames(book), yearText(book.published)].filter(Boolean).join(' · '),
              }))
        }
        isSearching={found.isFetching}
        mark={({ id, title }) => <SmallCover bookId={Number(id)} title={title} />}
        onChoose={({ id, title }) => add.mutate({ list, book: { id: Number(id), title } })}
      />
    </div>
  );
}

function Head({ list }: { list: LibraryList }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const client = useQueryClient();
  const save = useCall(changeLibraryList, {
    meta,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.libraryLists }),
  });
  const remove = useCall(removeLibraryList, {
    meta,
    onSuccess: (lists) => client.setQueryData(keyOf(listLibraryLists), lists),
  });
  const file = useMutation({
    mutationFn: async () =>
      saveFile(await sendForFile(fetchLibraryList, { params: { id: list.id } }), `${list.name}.csv`),
  });
  const close = () => setOpen(null);
  return (
    <ListHead
      title={<h2 className={listPageStyles.title}>{list.name}</h2>}
      description={list.description}
      count={(list.onHome ? m.lists_books_on_home : m.lists_books_not_on_home)({ count: list.books })}
      actions={
        <>
          <ButtonLink size="small" to={`/shelf/${list.id}`}>
            {m.lists_as_readers()}
          </ButtonLink>
          <Button size="small" busy={file.isPending} onClick={() => file.mutate()}>
            CSV
          </Button>
          <Button
            size="small"
            onClick={() => {
              save.reset();
              setOpen('edit');
            }}
          >
            {m.common_edit()}
          </Button>
          <Button size="small" look="danger" onClick={() => setOpen('delete')}>
            {m.common_delete()}
          </Button>
        </>
      }
    >
      {open === 'edit' && (
        <ListDialog
          title={m.lists_change_title({ name: list.name })}
          action={m.common_save()}
          ofLibrary
          fields={list}
          busy={save.isPending}
          error={save.error}
          onSave={(body) =>
            save.mutate(
              { params: { id: list.id }, body: { ...body, version: list.version } },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteListQuestion list={list} remove={remove} others="/admin/lists" onDecline={close}>
          {m.lists_delete_of_library()}
        </DeleteListQuestion>
      )}
    </ListHead>
  );
}
