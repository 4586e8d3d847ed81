import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  addLibraryList,
  listLibraryLists,
  moveLibraryList,
  type LibraryList,
} from '#contracts/lists/library-lists.js';
import { Button } from '../../components/form/button.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { MoveButtons } from '../../components/list/move-buttons.js';
import { ListHead } from '../../components/list/list-page.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { CoverStack } from '../../domain/covers/cover-stack.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { booksText } from '../../domain/lists/list-pages.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { queryKeys } from '../../domain/query-keys.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';

const meta = { inPlace: true };

/** The lists that the library keeps for everybody. */
export function LibraryListsPage() {
  usePageTitle('Reading lists');
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
        title="Reading lists"
        count={lists.data && `${lists.data.length} ${lists.data.length === 1 ? 'list' : 'lists'}`}
      >
        {lists.data && lists.data.length > 0 && <Button onClick={begin}>New list</Button>}
      </ListHead>
      <Loaded of={lists} waiting={<SkeletonLines label="Loading the lists" widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              title="No lists yet"
              action={
                <Button look="primary" onClick={begin}>
                  New list
                </Button>
              }
            >
              Prize winners, books for the summer, where to start with an author: each list is a page of its
              own, and can be a shelf on the home page.
            </EmptyState>
          ) : (
            <Lists lists={data} />
          )
        }
      </Loaded>
      {isNaming && (
        <ListDialog
          title="New list"
          action="Create"
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
                {booksText(list.books)} · {list.onHome ? 'on the home page' : 'not on the home page'} ·{' '}
                <NonBreakingDates
                  text={`changed by ${list.changedBy ?? 'somebody'} on ${isoDay(list.changedAt)}`}
                />
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
