import { useRef, useState } from 'react';
import { Button } from '../../../components/button.js';
import { useAuthorityPage, useDeleteAuthority } from './authority-calls.js';
import { AuthorityDialog } from './authority-dialog.js';
import type { Authority, AuthorityKind } from './authority-kinds.js';
import { AuthorityTable } from './authority-table.js';
import { DeleteConfirmation } from './delete-confirmation.js';
import { ListScreen } from './list-screen.js';
import { useListAddress } from './use-list-address.js';

type Open<Item> = { kind: 'add' } | { kind: 'edit' | 'delete'; authority: Item };

/** The list of authors, of genres or of publishers: a table, a dialog to add and edit, and a question before deleting. */
export function AuthorityScreen<Item extends Authority & Body, Body extends object, Sort extends string>({
  kind,
}: {
  kind: AuthorityKind<Item, Body, Sort>;
}) {
  const { noun, sorts, usualSort, pageSize } = kind;
  const address = useListAddress<Sort>({ sorts: sorts.map(({ value }) => value), usualSort, pageSize });
  const list = useAuthorityPage(kind, address.query);
  const deletion = useDeleteAuthority(kind);
  const [open, setOpen] = useState<Open<Item> | null>(null);
  const listRef = useRef<HTMLDivElement>(null);
  const close = () => setOpen(null);
  return (
    <>
      <ListScreen
        title={kind.heading}
        noun={noun}
        searchPlaceholder={`Search ${noun[1]} by Name`}
        sortLabel="Sort By"
        sorts={sorts}
        address={address}
        list={list}
        listRef={listRef}
        add={
          <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
            {kind.addButton}
          </Button>
        }
      >
        {(items, stale) => (
          <AuthorityTable
            kind={kind}
            items={items}
            stale={stale}
            onEdit={(authority) => setOpen({ kind: 'edit', authority })}
            onDelete={(authority) => setOpen({ kind: 'delete', authority })}
          />
        )}
      </ListScreen>
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
          listRef={listRef}
        >
          {kind.nameOf(open.authority)}
        </DeleteConfirmation>
      )}
    </>
  );
}
