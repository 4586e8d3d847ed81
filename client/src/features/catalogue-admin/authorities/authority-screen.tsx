import { useRef, useState } from 'react';
import { Button, ButtonLink } from '../../../components/button.js';
import { useAuthorityPage, useDeleteAuthority } from './authority-calls.js';
import { AuthorityDialog } from './authority-dialog.js';
import type { Authority, AuthorityKind } from './authority-kinds.js';
import { MergeDialog } from '../merging/merge-dialog.js';
import { AuthoritySelection } from './authority-selection.js';
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
  /** Names of the selected by their ids: they may be on other pages. */
  const [selected, setSelected] = useState<ReadonlyMap<number, string>>(new Map());
  const [merging, setMerging] = useState(false);
  const close = () => setOpen(null);
  const select = (authority: Item, on: boolean) => {
    const next = new Map(selected);
    if (on) next.set(authority.id, kind.nameOf(authority));
    else next.delete(authority.id);
    setSelected(next);
  };
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
        part={
          <ButtonLink look="plain" size="small" to={`/admin/duplicates?part=${noun[1]}`}>
            Find duplicates
          </ButtonLink>
        }
        add={
          <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
            {kind.addButton}
          </Button>
        }
      >
        {(items, stale) => (
          <>
            <AuthorityTable
              kind={kind}
              items={items}
              stale={stale}
              isSelected={(id) => selected.has(id)}
              onSelect={select}
              onEdit={(authority) => setOpen({ kind: 'edit', authority })}
              onDelete={(authority) => setOpen({ kind: 'delete', authority })}
            />
            <AuthoritySelection
              many={noun[1]}
              names={[...selected.values()]}
              onMerge={() => setMerging(true)}
              onClear={() => setSelected(new Map())}
            />
          </>
        )}
      </ListScreen>
      {merging && (
        <MergeDialog
          kind={kind.kind}
          ids={[...selected.keys()]}
          onMerged={() => {
            setSelected(new Map());
            listRef.current?.focus({ preventScroll: true });
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
          listRef={listRef}
        >
          {kind.nameOf(open.authority)}
        </DeleteConfirmation>
      )}
    </>
  );
}
