import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { PERMISSION_NAMES, ROLE_NAMES } from '#contracts/accounts/account-names.js';
import {
  addSet,
  changeSet,
  listSets,
  removeSet,
  type PermissionSet,
} from '#contracts/accounts/permission-sets.js';
import { BUILT_IN, ROLES, type Rights } from '#contracts/permissions.js';
import { listReaders } from '#contracts/accounts/readers.js';
import { money } from '#contracts/money.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { BackLink, Button } from '../../components/form/button.js';
import { ListHead } from '../../components/list/list-page.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { SetDialog } from './set-dialog.js';

type Open = { kind: 'add' } | { kind: 'change' | 'remove'; set: PermissionSet };

/** What people can be given: the sets that are built in, and the library's own. */
export function SetsPage() {
  usePageTitle(m.sets_title());
  const client = useQueryClient();
  const sets = useQuery(queryOf(listSets));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = (words: string) => {
    notify.success(words);
    close();
    for (const queryKey of [keyOf(listSets), queryKeys.readers]) void client.invalidateQueries({ queryKey });
  };
  const meta = { inPlace: true };
  const add = useCall(addSet, { meta, onSuccess: () => done(m.sets_saved()) });
  const change = useCall(changeSet, { meta, onSuccess: () => done(m.sets_saved()) });
  const remove = useCall(removeSet, { onSuccess: ({ message }) => done(message), onError: close });
  return (
    <>
      <BackLink to="/admin/users">{m.common_users()}</BackLink>
      <ListHead title={m.sets_title()}>
        <Button look="primary" onClick={() => setOpen({ kind: 'add' })}>
          {m.sets_add()}
        </Button>
      </ListHead>
      <p className="max-w-measure mb-6 text-ink-soft">{m.sets_lead()}</p>
      <Loaded of={sets} waiting={<SkeletonLines label={m.sets_loading()} widths={[60, 50, 70]} />}>
        {(own) => (
          <ul role="list">
            {own.map((set) => (
              <SetRow
                key={set.id}
                name={set.name}
                rights={set}
                about={set.holders === 0 ? m.sets_nobody_has_it() : m.sets_holders({ count: set.holders })}
              >
                <Button
                  size="small"
                  aria-label={m.sets_change_named({ name: set.name })}
                  onClick={() => setOpen({ kind: 'change', set })}
                >
                  {m.common_edit()}
                </Button>
                <Button
                  size="small"
                  look="danger"
                  aria-label={m.sets_remove_named({ name: set.name })}
                  onClick={() => setOpen({ kind: 'remove', set })}
                >
                  {m.common_delete()}
                </Button>
              </SetRow>
            ))}
            {own.length === 0 && <li className="note py-3 border-t border-line">{m.sets_none()}</li>}
            {ROLES.filter((role) => role !== 'Reader').map((role) => (
              <SetRow
                key={role}
                name={ROLE_NAMES[role]()}
                rights={BUILT_IN[role]}
                about={m.sets_built_in()}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {open?.kind === 'add' && (
        <SetDialog command={add} onSave={(body) => add.mutate({ body })} onClose={close} />
      )}
      {open?.kind === 'change' && (
        <SetDialog
          set={open.set}
          command={change}
          onSave={(fields) =>
            change.mutate({ params: { id: open.set.id }, body: { ...fields, version: open.set.version } })
          }
          onClose={close}
        />
      )}
      {open?.kind === 'remove' && (
        <Confirmation
          question={m.sets_remove_question({ name: open.set.name })}
          action={m.common_delete()}
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ params: { id: open.set.id } })}
          onDecline={close}
        >
          <Holders set={open.set} />
        </Confirmation>
      )}
    </>
  );
}

interface SetRowProps {
  name: string;
  rights: Rights;
  about: string;
  children?: ReactNode;
}

function SetRow({ name, rights, about, children }: SetRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 border-t border-line" data-set={name}>
      <div className="flex-[1_1_24rem] min-w-0">
        <h3 className="font-serif text-3 wrap-anywhere">
          {name} <span className="note font-sans font-regular">{about}</span>
        </h3>
        <p className="max-w-measure text-1 text-ink-soft">{textOf(rights)}</p>
      </div>
      {children && <div className="flex gap-2">{children}</div>}
    </li>
  );
}

/** All that a set allows, in one sentence. */
export function textOf({ permissions, waiverLimit }: Rights): string {
  return permissions
    .map((each) =>
      each === 'waive' && waiverLimit !== null
        ? m.permission_waive_up_to({ amount: money(waiverLimit) })
        : PERMISSION_NAMES[each](),
    )
    .join('; ');
}

/** Who will lose it. */
function Holders({ set }: { set: PermissionSet }) {
  const holders = useQuery(
    queryOf(listReaders, {
      query: { Set: set.id, SearchTerm: '', SortBy: 'Name', pageNumber: 1, pageSize: 10 },
    }),
  );
  const { totalCount: count = set.holders, items = [] } = holders.data ?? {};
  if (count === 0) return m.sets_nobody_has_it();
  return m.sets_will_lose({ count, names: items.map(({ fullname }) => fullname).join(', ') });
}
