import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Paged } from '#contracts/paging.js';
import { Button } from '../../../components/button.js';
import { DeleteConfirmation } from './delete-confirmation.js';
import { AuthorityTable, type Authority, type AuthorityColumn } from './authority-table.js';
import { ListScreen } from './list-screen.js';
import type { ListAddress } from './use-list-address.js';

interface AuthorityScreenProps<Item extends Authority, Sort extends string> {
  title: string;
  addButton: string;
  noun: readonly [one: string, many: string];
  searchPlaceholder: string;
  sorts: readonly { value: Sort; label: string }[];
  address: ListAddress<Sort>;
  list: UseQueryResult<Paged<Item>>;
  columns: readonly AuthorityColumn<Item>[];
  nameOf: (authority: Item) => string;
  deleteQuestion: string;
  deletion: UseMutationResult<unknown, Error, Item>;
  /** The dialog for a new authority, or for the one that is edited. */
  dialog: (edited: Item | undefined, close: () => void) => ReactNode;
}

type Open<Item> = { kind: 'add' } | { kind: 'edit' | 'delete'; authority: Item };

/** The list of authors, of genres or of publishers: a table, a dialog to add and edit, and a question before deleting. */
export function AuthorityScreen<Item extends Authority, Sort extends string>(
  props: AuthorityScreenProps<Item, Sort>,
) {
  const [open, setOpen] = useState<Open<Item> | null>(null);
  const listRef = useRef<HTMLDivElement>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ListScreen
        title={props.title}
        noun={props.noun}
        searchPlaceholder={props.searchPlaceholder}
        sortLabel="Sort By"
        sorts={props.sorts}
        address={props.address}
        list={props.list}
        listRef={listRef}
        add={
          <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
            {props.addButton}
          </Button>
        }
      >
        {(items, stale) => (
          <AuthorityTable
            columns={props.columns}
            items={items}
            stale={stale}
            pageSize={props.address.query.pageSize}
            nameOf={props.nameOf}
            onEdit={(authority) => setOpen({ kind: 'edit', authority })}
            onDelete={(authority) => setOpen({ kind: 'delete', authority })}
          />
        )}
      </ListScreen>
      {open?.kind === 'add' && props.dialog(undefined, close)}
      {open?.kind === 'edit' && props.dialog(open.authority, close)}
      {open?.kind === 'delete' && (
        <DeleteConfirmation
          question={props.deleteQuestion}
          wanted={open.authority}
          command={props.deletion}
          onClose={close}
          listRef={listRef}
        >
          {props.nameOf(open.authority)}
        </DeleteConfirmation>
      )}
    </>
  );
}
