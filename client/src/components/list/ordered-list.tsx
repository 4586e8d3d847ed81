import { useState, type ReactNode } from 'react';
import * as m from '#words/messages.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { isoMinute } from '../../lib/dates.js';
import { Confirmation } from '../dialog/confirmation.js';
import type { CommandDialogProps } from '../dialog/dialog.js';
import { Notice } from '../dialog/notice.js';
import { Button } from '../form/button.js';
import { ListHead } from './list-page.js';
import { MoveButtons } from './move-buttons.js';
import { EmptyState } from './placeholders.js';

interface OrderedListProps<Item, Saved> {
  title: string;
  count?: string;
  lead: string;
  add: string;
  empty: { title: string; lead: string };
  items: readonly Item[];
  nameOf: (item: Item) => string;
  idOf: (item: Item | Saved) => string | undefined;
  /** Shown in its place, and neither moved, edited nor removed. */
  isFixed?: (item: Item) => boolean;
  /** Each of them, and what can be done with it beside the usual. */
  about: (item: Item) => ReactNode;
  actions: (item: Item) => ReactNode;
  changed: { at: string | null; by: string | null };
  command: CommandDialogProps['command'] & { reset: () => void };
  /** Has all that are not fixed be these, in this order. */
  save: (items: readonly (Item | Saved)[], options: { onSuccess: () => void }) => void;
  effectOfRemoving: (item: Item) => string;
  /** The window in which one is edited, or added where there is none. */
  dialog: (item: Item | null, more: { onSave: (saved: Saved) => void; onClose: () => void }) => ReactNode;
}

/** A few things of the library in an order that counts, changed together: whoever changes them says of which version. */
export function OrderedList<Item, Saved>(props: OrderedListProps<Item, Saved>) {
  const { items, nameOf, idOf, isFixed = () => false, command, changed } = props;
  /** The one whose window is open; null for a new one. */
  const [edited, setEdited] = useState<Item | null>();
  const [removed, setRemoved] = useState<Item>();
  const close = () => {
    command.reset();
    setEdited(undefined);
    setRemoved(undefined);
  };
  const own = items.filter((item) => !isFixed(item));
  const others = (item: Item) => own.filter((each) => idOf(each) !== idOf(item));
  const save = (next: readonly (Item | Saved)[]) => props.save(next, { onSuccess: close });
  return (
    <>
      <ListHead title={props.title} {...(props.count !== undefined && { count: props.count })}>
        <Button onClick={() => setEdited(null)}>{props.add}</Button>
      </ListHead>
      <p className="max-w-measure mb-4 text-ink-soft text-1">{props.lead}</p>
      {command.error && edited === undefined && <Notice>{firstWordsOf(command.error)}</Notice>}
      {items.length === 0 && <EmptyState title={props.empty.title}>{props.empty.lead}</EmptyState>}
      <ol role="list">
        {items.map((item) => (
          <li
            key={idOf(item)}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2 py-3 border-t border-line to-760:grid-cols-1"
            data-item={nameOf(item)}
          >
            {props.about(item)}
            <div className="flex flex-wrap gap-1">
              {!isFixed(item) && (
                <MoveButtons
                  name={nameOf(item)}
                  place={own.indexOf(item) + 1}
                  total={own.length}
                  onMove={(place) => !command.isPending && save(others(item).toSpliced(place - 1, 0, item))}
                />
              )}
              {props.actions(item)}
              {!isFixed(item) && (
                <>
                  <Button size="small" onClick={() => setEdited(item)}>
                    {m.common_edit()}
                  </Button>
                  <Button size="small" look="danger" onClick={() => setRemoved(item)}>
                    {m.common_remove()}
                  </Button>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      {changed.at !== null && (
        <p className="note pt-3 border-t border-line">
          {m.sources_changed({ by: changed.by ?? m.library_changed_by_gone(), at: isoMinute(changed.at) })}
        </p>
      )}
      {removed !== undefined && (
        <Confirmation
          question={m.source_remove_question({ name: nameOf(removed) })}
          action={m.common_remove()}
          busy={command.isPending}
          onConfirm={() => save(others(removed))}
          onDecline={close}
        >
          {command.error ? firstWordsOf(command.error) : props.effectOfRemoving(removed)}
        </Confirmation>
      )}
      {edited !== undefined &&
        props.dialog(edited, {
          onSave: (saved) =>
            save(edited ? own.map((each) => (idOf(each) === idOf(saved) ? saved : each)) : [...own, saved]),
          onClose: close,
        })}
    </>
  );
}
