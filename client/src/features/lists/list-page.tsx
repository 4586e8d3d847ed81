import { ChevronLeft, Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import {
  LIST_PAGE_SIZE,
  listParamsSchema,
  STANDING_LIST_NAMES,
  type OwnListPage,
} from '#contracts/lists/reading-lists.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SkeletonLines } from '../../components/skeleton.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { booksWords } from '../../domain/lists/list-words.js';
import { ListedBooks } from '../../domain/lists/listed-books.js';
import styles from '../../domain/lists/lists.module.css';
import { useDeleteOwnList, useSaveOwnList } from '../../domain/lists/own-lists.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { totalPages } from '../../lib/page-marks.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useOwnListPage } from './own-list.js';
import { ShareDialog } from './share-dialog.js';

const ADDRESS = { page: { ...pageParameter, fromTop: true } } as const;

/** One of the reader's own lists. */
export function ListPage() {
  const params = listParamsSchema.safeParse(useParams());
  if (!params.success) return <Navigate to="/not-found" replace />;
  return <ListOf key={params.data.id} id={params.data.id} />;
}

function ListOf({ id }: { id: string }) {
  const [{ page }, change] = useAddress(ADDRESS);
  const list = useOwnListPage(id, page);
  usePageTitle(list.data?.name ?? 'My list');
  const pages = totalPages(list.data?.totalCount ?? 0, LIST_PAGE_SIZE);
  return (
    <div className={styles.page}>
      <Link to="/lists" className={styles.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        My lists
      </Link>
      {list.data ? (
        <>
          <Head list={list.data} />
          {list.data.totalCount === 0 ? (
            <EmptyState
              title="Nothing is on this list yet"
              action={<ButtonLink to="/catalog">Browse the catalogue</ButtonLink>}
            >
              Open a book and choose “Save to a list”.
            </EmptyState>
          ) : (
            <ListedBooks
              list={{ of: 'List', id, name: list.data.name }}
              books={booksOf(list.data)}
              first={(page - 1) * LIST_PAGE_SIZE + 1}
              total={list.data.totalCount}
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
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <SkeletonLines label="Loading the list" widths={[50, 80, 70, 75]} />
      )}
    </div>
  );
}

/** The same array for the same answer: by it one knows what the library has heard of. */
const arrays = new WeakMap<OwnListPage['items'], OwnListPage['items'][number]['book'][]>();
function booksOf({ items }: OwnListPage) {
  const known = arrays.get(items) ?? items.map(({ book }) => book);
  arrays.set(items, known);
  return known;
}

function Head({ list }: { list: OwnListPage }) {
  const [open, setOpen] = useState<'edit' | 'share' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <header className={styles.head}>
      <div className={styles.names}>
        <h1 className={styles.title}>{list.name}</h1>
        {list.description !== '' && <p className={styles.description}>{list.description}</p>}
        <p className={styles.count}>
          {booksWords(list.totalCount)}
          {list.isShared && ' · shared by a link'}
        </p>
      </div>
      <div className={styles.actions}>
        <Button onClick={() => setOpen('share')}>
          <Link2 size={18} aria-hidden="true" />
          {list.isShared ? 'Shared' : 'Share'}
        </Button>
        <Button onClick={() => setOpen('edit')}>Edit</Button>
        {list.standing === null && (
          <Button look="danger" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        )}
      </div>
      {open === 'edit' && <EditDialog list={list} onClose={close} />}
      {open === 'share' && <ShareDialog list={list} onClose={close} />}
      {open === 'delete' && <DeleteQuestion list={list} onDecline={close} />}
    </header>
  );
}

function EditDialog({ list, onClose }: { list: OwnListPage; onClose: () => void }) {
  const save = useSaveOwnList();
  return (
    <ListDialog
      title={`Change “${list.name}”`}
      action="Save"
      fields={{ ...list, onHome: false }}
      keepsName={list.standing !== null}
      busy={save.isPending}
      error={save.error}
      onSave={({ name, description }) =>
        save.mutate(
          {
            id: list.id,
            body: { name: list.standing === null ? name : STANDING_LIST_NAMES[list.standing], description },
          },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    />
  );
}

function DeleteQuestion({ list, onDecline }: { list: OwnListPage; onDecline: () => void }) {
  const remove = useDeleteOwnList();
  const navigate = useNavigate();
  return (
    <Confirmation
      question={`Delete the list “${list.name}”?`}
      action="Delete it"
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(list.id, {
          onSuccess: () => {
            notify.success(`The list “${list.name}” was deleted`);
            void navigate('/lists', { replace: true });
          },
          onError: (error) => {
            notify.error(sentenceOf(error));
            onDecline();
          },
        })
      }
      onDecline={onDecline}
    >
      {list.totalCount === 0
        ? 'Nothing is on it.'
        : `${booksWords(list.totalCount)} ${list.totalCount === 1 ? 'is' : 'are'} on it. The books themselves stay in the catalogue.`}
      {list.isShared && ' The link to it ends.'}
    </Confirmation>
  );
}
