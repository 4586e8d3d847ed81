import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  addLibraryList,
  listLibraryLists,
  moveLibraryList,
  type LibraryList,
} from '#contracts/lists/library-lists.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { MoveButtons } from '../../components/list/move-buttons.js';
import { ListHead } from '../../components/list/list-page.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { CoverStack } from '../../domain/covers/cover-stack.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';

const meta = { inPlace: true };

/** The lists that the library keeps for everybody. */
export function LibraryListsPage() {
  usePageTitle(m.lists_reading_lists());
  const client = useQueryClient();
  const lists = useQuery({ ...queryOf(listLibraryLists), refetchOnMount: 'always', meta });
  const add = useCall(addLibraryList, {
    meta,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.libraryLists }),
  });
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const begin = () => {
    add.reset();
    setNaming(true);
  };
  return (
    <>
      <ListHead
        title={m.lists_reading_lists()}
        count={lists.data && m.lists_count({ count: lists.data.length })}
      >
        {lists.data && lists.data.length > 0 && <Button onClick={begin}>{m.lists_new()}</Button>}
      </ListHead>
      <Loaded of={lists} waiting={<SkeletonLines label={m.lists_loading_all()} widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              title={m.lists_none()}
              action={
                <Button look="primary" onClick={begin}>
                  {m.lists_new()}
                </Button>
              }
            >
              {m.lists_none_lead()}
            </EmptyState>
          ) : (
            <Lists lists={data} />
          )
        }
      </Loaded>
      {isNaming && (
        <ListDialog
          title={m.lists_new()}
          action={m.lists_create()}
          ofLibrary
          busy={add.isPending}
          error={add.error}
          onSave={(body) =>
            add.mutate({ body }, { onSuccess: ({ id }) => void navigate(`/admin/lists/${id}`) })
          }
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function Lists({ lists }: { lists: readonly LibraryList[] }) {
  const client = useQueryClient();
  const move = useCall(moveLibraryList, {
    onSuccess: (all) => client.setQueryData(keyOf(listLibraryLists), all),
  });
  return (
    <ol role="list">
      {lists.map((list, index) => {
        const moveTo = (place: number) => {
          if (place >= 1 && place <= lists.length && !move.isPending)
            move.mutate({ params: { id: list.id }, body: { place } });
        };
        return (
          <li
            key={list.id}
            className="grid py-3 border-t border-line grid-cols-[4rem_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 phone:grid-cols-[minmax(0,1fr)_auto]"
            data-library-list={list.name}
          >
            <CoverStack
              books={list.firstBooks.map((bookId) => ({ bookId, title: '' }))}
              className="min-h-12 phone:hidden"
            />
            <div className="min-w-0">
              <Link
                to={`/admin/lists/${list.id}`}
                className="text-ink font-serif text-3 wrap-anywhere no-underline leading-tight hover:underline"
              >
                {list.name}
              </Link>
              <p className="note">
                {(list.onHome ? m.lists_books_on_home : m.lists_books_not_on_home)({ count: list.books })} ·{' '}
                <NonBreakingDates text={changedText(list)} />
              </p>
            </div>
            <div className="flex gap-1">
              <MoveButtons name={list.name} place={index + 1} total={lists.length} onMove={moveTo} />
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function changedText({ changedBy: by, changedAt }: LibraryList): string {
  const day = isoDay(changedAt);
  return by === null ? m.lists_changed({ day }) : m.lists_changed_by({ by, day });
}
