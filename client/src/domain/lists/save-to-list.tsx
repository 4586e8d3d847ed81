import Bookmark from 'lucide-react/icons/bookmark';
import BookmarkCheck from 'lucide-react/icons/bookmark-check';
import Check from 'lucide-react/icons/check';
import Plus from 'lucide-react/icons/plus';
import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { useState } from 'react';
import type { OwnList } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { useAddToList, useTakeOffList } from './list-books.js';
import { ListDialog } from './list-dialog.js';
import { useAddOwnList, useOwnLists } from './own-lists.js';

const ENTRY =
  'flex items-center gap-2 min-h-11 py-1 px-3 rounded-[2px] text-ink cursor-pointer outline-none data-highlighted:bg-accent-wash [&[aria-busy]]:opacity-55 [&[aria-busy]]:[cursor:progress]';

interface SavedBook {
  id: number;
  title: string;
}

/** A menu of the reader's lists: each is ticked where the book is on it, and stays open for the next. */
export function SaveToList({ book }: { book: SavedBook }) {
  const lists = useOwnLists(book.id);
  const [isNaming, setNaming] = useState(false);
  const isSaved = lists.data?.some(({ hasBook }) => hasBook) ?? false;
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button look="plain" data-save-to-list={isSaved ? 'saved' : 'none'} data-of={book.id}>
            {isSaved ? (
              <BookmarkCheck size={18} aria-hidden="true" />
            ) : (
              <Bookmark size={18} aria-hidden="true" />
            )}
            {isSaved ? m.lists_saved() : m.lists_save_to()}
          </Button>
        </DropdownMenu.Trigger>
        {/* Where it is on the page, among what is said of the book. */}
        <DropdownMenu.Content
          className="z-50 w-[min(20rem,calc(100vw_-_2_*_var(--space-4)))] p-1 border border-line rounded bg-surface shadow-lift-high"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          {lists.data ? (
            <div className="max-h-[min(22rem,50vh)] overflow-y-auto">
              {lists.data.map((list) => (
                <ListItem key={list.id} list={list} book={book} />
              ))}
            </div>
          ) : lists.isError ? (
            <>
              <p className="py-2 px-3 text-ink-soft text-1">{sentenceOf(lists.error)}</p>
              <DropdownMenu.Item
                className={ENTRY}
                onSelect={(event) => {
                  event.preventDefault();
                  void lists.refetch();
                }}
              >
                {m.common_retry()}
              </DropdownMenu.Item>
            </>
          ) : (
            <p className="py-2 px-3 text-ink-soft text-1" role="status">
              {m.lists_loading_of_menu()}
            </p>
          )}
          <DropdownMenu.Separator className="h-px my-1 mx-0 bg-line" />
          <DropdownMenu.Item className={ENTRY} onSelect={() => setNaming(true)}>
            <Plus size={18} aria-hidden="true" />
            {m.lists_new_of_menu()}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {isNaming && <NewListFor book={book} onClose={() => setNaming(false)} />}
    </>
  );
}

function ListItem({ list, book }: { list: OwnList; book: SavedBook }) {
  const add = useAddToList();
  const take = useTakeOffList();
  const isBusy = add.isPending || take.isPending;
  const has = list.hasBook ?? false;
  const changed = { list: { of: 'List' as const, id: list.id, name: list.name }, book };
  return (
    <DropdownMenu.CheckboxItem
      className={ENTRY}
      checked={has}
      aria-busy={isBusy || undefined}
      onSelect={(event) => {
        event.preventDefault();
        if (!isBusy) (has ? take : add).mutate(changed);
      }}
    >
      <span className="flex-none inline-flex w-4.5 text-accent-text">
        <DropdownMenu.ItemIndicator>
          <Check size={18} aria-hidden="true" />
        </DropdownMenu.ItemIndicator>
      </span>
      <span className="flex-1 min-w-0 wrap-anywhere leading-tight">{list.name}</span>
      <span className="text-ink-soft text-1 tabular-nums">{list.books}</span>
    </DropdownMenu.CheckboxItem>
  );
}

/** A new list, with the book on it. */
function NewListFor({ book, onClose }: { book: SavedBook; onClose: () => void }) {
  const save = useAddOwnList();
  const add = useAddToList();
  return (
    <ListDialog
      title={m.lists_new()}
      action={m.lists_create()}
      busy={save.isPending || add.isPending}
      error={save.error}
      onSave={({ name, description }) =>
        save.mutate(
          { body: { name, description } },
          {
            onSuccess: (list) =>
              add.mutate(
                { list: { of: 'List', id: list.id, name: list.name }, book },
                { onSettled: onClose },
              ),
          },
        )
      }
      onClose={onClose}
    />
  );
}
