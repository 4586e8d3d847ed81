import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import Link2 from 'lucide-react/icons/link-2';
import { useState } from 'react';
import {
  changeOwnList,
  LIST_PAGE_SIZE,
  readOwnList,
  readOwnLists,
  removeOwnList,
  STANDING_LIST_NAMES,
  type OwnListPage,
} from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { BackLink, Button, ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import {
  DeleteListQuestion,
  EditableListBooks,
  LoadedList,
  ListAtAddress,
  ListHead,
} from '../../domain/lists/loaded-list.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { useListPages } from '../../domain/lists/list-pages.js';
import styles from '../../domain/lists/lists.module.css';
import { queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { ShareDialog } from './share-dialog.js';

/** One of the reader's own lists. */
export const ListPage = () => <ListAtAddress page={ListOf} />;

function ListOf({ id }: { id: string }) {
  const address = useListPages();
  const { pageNumber } = address[0];
  const list = useQuery({
    ...queryOf(readOwnList, { params: { id }, query: { pageNumber, pageSize: LIST_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  usePageTitle(list.data?.name ?? m.lists_list());
  return (
    <div className={styles.page}>
      <BackLink to="/lists" className="self-start">
        {m.lists_title()}
      </BackLink>
      <LoadedList of={list}>
        {list.data && (
          <>
            <Head list={list.data} />
            <EditableListBooks
              list={{ of: 'List', id, name: list.data.name }}
              answer={list}
              address={address}
              booksOf={booksOf}
              empty={
                <EmptyState
                  title={m.lists_empty()}
                  action={<ButtonLink to="/catalog">{m.lists_browse()}</ButtonLink>}
                >
                  {m.lists_empty_lead()}
                </EmptyState>
              }
            />
          </>
        )}
      </LoadedList>
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
    <ListHead
      title={<h1 className="leading-[1.12] wrap-anywhere">{list.name}</h1>}
      description={list.description}
      count={
        list.isShared
          ? m.lists_books_shared({ count: list.totalCount })
          : m.lists_books({ count: list.totalCount })
      }
      actions={
        <>
          <Button icon={Link2} onClick={() => setOpen('share')}>
            {list.isShared ? m.lists_shared() : m.lists_share()}
          </Button>
          <Button onClick={() => setOpen('edit')}>{m.common_edit()}</Button>
          {list.standing === null && (
            <Button look="danger" onClick={() => setOpen('delete')}>
              {m.common_delete()}
            </Button>
          )}
        </>
      }
    >
      {open === 'edit' && <EditDialog list={list} onClose={close} />}
      {open === 'share' && <ShareDialog list={list} onClose={close} />}
      {open === 'delete' && <DeleteQuestion list={list} onDecline={close} />}
    </ListHead>
  );
}

function EditDialog({ list, onClose }: { list: OwnListPage; onClose: () => void }) {
  const client = useQueryClient();
  const save = useCall(changeOwnList, {
    meta: { inPlace: true },
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.ownLists }),
  });
  return (
    <ListDialog
      title={m.lists_change_title({ name: list.name })}
      action={m.common_save()}
      fields={{ ...list, onHome: false }}
      keepsName={list.standing !== null}
      busy={save.isPending}
      error={save.error}
      onSave={({ name, description }) =>
        save.mutate(
          {
            params: { id: list.id },
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
  const client = useQueryClient();
  const remove = useCall(removeOwnList, {
    meta: { inPlace: true },
    onSuccess: (lists) => {
      client.setQueryData(keyOf(readOwnLists), lists);
      // Those too that say whether a book is on them.
      void client.invalidateQueries({ queryKey: keyOf(readOwnLists) });
    },
  });
  return (
    <DeleteListQuestion list={list} remove={remove} others="/lists" onDecline={onDecline}>
      {list.totalCount === 0 ? m.lists_delete_empty() : m.lists_delete_books({ count: list.totalCount })}
      {list.isShared && ` ${m.lists_delete_link()}`}
    </DeleteListQuestion>
  );
}
