import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import type { LibraryList } from '#contracts/lists/library-lists.js';
import { LIST_PAGE_SIZE, listParamsSchema } from '#contracts/lists/reading-lists.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Finder } from '../../components/finder.js';
import { Pagination } from '../../components/pagination.js';
import { SkeletonLines } from '../../components/skeleton.js';
import { authorNames } from '../../domain/catalogue/author-names.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { useAddToList, type ChangedList } from '../../domain/lists/list-books.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { booksWords } from '../../domain/lists/list-words.js';
import { ListedBooks } from '../../domain/lists/listed-books.js';
import listPageStyles from '../../components/list-page.module.css';
import listStyles from '../../domain/lists/lists.module.css';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { totalPages } from '../../lib/page-marks.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import styles from './library-lists-page.module.css';
import {
  useDeleteLibraryList,
  useFoundBooks,
  useLibraryListBooks,
  useLibraryLists,
  useSaveLibraryList,
  useSaveListFile,
} from './library-lists.js';

const ADDRESS = { page: { ...pageParameter, fromTop: true } } as const;

/** One of the library's lists, to be kept. */
export function LibraryListPage() {
  const params = listParamsSchema.safeParse(useParams());
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <ListOf key={params.data.id} id={params.data.id} />;
}

function ListOf({ id }: { id: string }) {
  const [{ page }, change] = useAddress(ADDRESS);
  const lists = useLibraryLists();
  const books = useLibraryListBooks(id, page);
  const list = lists.data?.find((each) => each.id === id);
  const failed = lists.error ?? books.error;
  const name = list?.name ?? books.data?.name ?? 'Reading list';
  usePageTitle(name);
  const changed: ChangedList = { of: 'ReadingList', id, name };
  const pages = totalPages(books.data?.totalCount ?? 0, LIST_PAGE_SIZE);
  return (
    <>
      <Link to="/admin/lists" className={styles.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        Reading lists
      </Link>
      {list && books.data ? (
        <>
          <Head list={list} />
          <AddBooks list={changed} />
          {books.data.totalCount === 0 ? (
            <EmptyState title="Nothing is on this list yet">Find the first book above.</EmptyState>
          ) : (
            <ListedBooks
              list={changed}
              books={books.data.items}
              first={(page - 1) * LIST_PAGE_SIZE + 1}
              total={books.data.totalCount}
            />
          )}
          {pages > 1 && (
            <Pagination
              label="Pages of the list"
              page={page}
              total={pages}
              onPage={(next) => change({ page: next })}
            />
          )}
        </>
      ) : failed ? (
        <ErrorState
          error={failed}
          onRetry={() => {
            void lists.refetch();
            void books.refetch();
          }}
          retrying={lists.isFetching || books.isFetching}
        />
      ) : (
        <SkeletonLines label="Loading the list" widths={[50, 80, 70, 75]} />
      )}
    </>
  );
}

function AddBooks({ list }: { list: ChangedList }) {
  const add = useAddToList();
  const [asked, setAsked] = useState('');
  const found = useFoundBooks(asked);
  return (
    <div className={styles.found}>
      <Finder
        label="Add books"
        placeholder="Add books: title, author or ISBN"
        asked={asked}
        onSearch={setAsked}
        found={
          asked === ''
            ? undefined
            : found.data?.items.map((book) => ({
                id: String(book.id),
                title: book.title,
                detail: [authorNames(book), book.publicationDate.slice(0, 4)].filter(Boolean).join(' · '),
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
  const save = useSaveLibraryList();
  const remove = useDeleteLibraryList();
  const file = useSaveListFile();
  const navigate = useNavigate();
  const close = () => setOpen(null);
  return (
    <header className={listStyles.head}>
      <div className={listStyles.names}>
        <h2 className={listPageStyles.title}>{list.name}</h2>
        {list.description !== '' && <p className={listStyles.description}>{list.description}</p>}
        <p className={listStyles.count}>
          {booksWords(list.books)} · {list.onHome ? 'on the home page' : 'not on the home page'}
        </p>
      </div>
      <div className={listStyles.actions}>
        <ButtonLink size="small" to={`/shelf/${list.id}`}>
          As readers see it
        </ButtonLink>
        <Button size="small" busy={file.isPending} onClick={() => file.mutate(list)}>
          CSV
        </Button>
        <Button
          size="small"
          onClick={() => {
            save.reset();
            setOpen('edit');
          }}
        >
          Edit
        </Button>
        <Button size="small" look="danger" onClick={() => setOpen('delete')}>
          Delete
        </Button>
      </div>
      {open === 'edit' && (
        <ListDialog
          title={`Change “${list.name}”`}
          action="Save"
          ofLibrary
          fields={list}
          busy={save.isPending}
          error={save.error}
          onSave={(body) =>
            save.mutate({ id: list.id, body: { ...body, version: list.version } }, { onSuccess: close })
          }
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <Confirmation
          question={`Delete the list “${list.name}”?`}
          action="Delete it"
          busy={remove.isPending}
          onConfirm={() =>
            remove.mutate(list.id, {
              onSuccess: () => {
                notify.success(`The list “${list.name}” was deleted`);
                void navigate('/admin/lists', { replace: true });
              },
              onError: (error) => {
                notify.error(sentenceOf(error));
                close();
              },
            })
          }
          onDecline={close}
        >
          It is gone for all readers. The books themselves stay in the catalogue.
        </Confirmation>
      )}
    </header>
  );
}
