import * as m from '#words/messages.js';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addCopy,
  bringCopyBack,
  COPIES_PAGE_SIZE,
  listCopies,
  reportCopyDamaged,
  reportCopyLost,
  withdrawCopy,
  type CopyPage,
  type CopyState,
  type CopyView,
} from '#contracts/copies/copy-views.js';
import { Button } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { Day } from '../../../components/display/day.js';
import { Marked } from '../../../components/display/marked.js';
import { Notice } from '../../../components/dialog/notice.js';
import { PagedList } from '../../../components/list/paged-list.js';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import { CopyStateBadge } from '../../../domain/catalogue/copy-state-badge.js';
import { invalidate, queryKeys } from '../../../domain/query-keys.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { queryOf, send } from '../../../lib/api/send.js';
import { useIdempotentMutation } from '../../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../../lib/notify.js';
import { useList, usePageState } from '../../../lib/use-list.js';
import { CopyDialog } from './copy-dialog.js';
import { CopyHistory } from './copy-history.js';
import styles from './copies-of-book.module.css';

/** What can be done with a copy that is nobody's. */
const CALLS = {
  lost: reportCopyLost,
  damaged: reportCopyDamaged,
  withdraw: withdrawCopy,
  found: bringCopyBack,
};
type CopyAction = keyof typeof CALLS;

const COLUMNS: readonly ListColumn<CopyView>[] = [
  {
    title: m.common_code(),
    heads: true,
    look: 'nowrap',
    className: 'font-strong to-860:[order:-2]',
    cell: ({ code, label }) => (
      <>
        {code}
        {label !== null && <span className="block quiet font-regular">{label}</span>}
      </>
    ),
  },
  {
    title: m.copies_shelf_mark(),
    cell: ({ shelfMark }) => shelfMark ?? <span aria-label={m.common_none()}>–</span>,
  },
  {
    title: m.copies_state(),
    cell: ({ state, borrow }) => (
      <>
        <CopyStateBadge state={state} />
        {borrow && (
          <p className="mt-1 text-ink-soft">
            {borrow.dueDate === null ? (
              borrow.user.fullname
            ) : (
              <Marked
                parts={m.copies_due.parts({ name: borrow.user.fullname })}
                as={{ day: () => <Day time={borrow.dueDate} /> }}
              />
            )}
            {!borrow.isScanned && <span className="quiet"> {m.copies_presumed()}</span>}
          </p>
        )}
      </>
    ),
  },
  {
    title: m.copies_note(),
    look: 'text',
    className: 'max-w-72',
    cell: ({ note }) => note ?? <span aria-label={m.common_none()}>–</span>,
  },
];

const ACTIONS: Record<CopyState, readonly CopyAction[]> = {
  'on-shelf': ['lost', 'damaged', 'withdraw'],
  rented: [],
  lent: [],
  lost: ['found', 'withdraw'],
  damaged: ['found', 'withdraw'],
  withdrawn: ['found'],
};

function wordOf(action: CopyAction, state: CopyState): string {
  if (action === 'found')
    return state === 'lost' ? m.copies_found() : state === 'damaged' ? m.copies_repaired() : m.copies_keep();
  return { lost: m.copies_state_lost(), damaged: m.copies_state_damaged(), withdraw: m.copies_withdraw() }[
    action
  ];
}

/** What is asked before a copy leaves the count. */
const QUESTIONS: Record<
  Exclude<CopyAction, 'found'>,
  { ask: (code: string) => string; means: string; yes: string }
> = {
  lost: {
    ask: (code) => m.copies_lost_question({ code }),
    means: m.copies_lost_means(),
    yes: m.copies_lost_yes(),
  },
  damaged: {
    ask: (code) => m.copies_damaged_question({ code }),
    means: m.copies_damaged_means(),
    yes: m.copies_damaged_yes(),
  },
  withdraw: {
    ask: (code) => m.copies_withdraw_question({ code }),
    means: m.copies_withdraw_means(),
    yes: m.copies_withdraw_yes(),
  },
};

/** The copies of a book, one by one: where each is, and what may be done with it. */
export function CopiesOfBook({ bookId }: { bookId: number }) {
  const client = useQueryClient();
  const page = usePageState();
  const copies = useQuery({
    ...queryOf(listCopies, { params: { id: bookId }, query: { ...page[0], pageSize: COPIES_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
  const list = useList(page, copies, COPIES_PAGE_SIZE);
  /** The copies, and the lists that count them. After a refusal too: the screen may be outdated. */
  const refetch = () => {
    invalidate(client, queryKeys.copies(bookId), queryKeys.bookPages);
  };
  const add = useIdempotentMutation({
    // One more than those that are known: the next click wants another one.
    requestOf: () => `${bookId} ${copies.data?.totalCount ?? 0}`,
    send: (_none: void, idempotencyKey) => send(addCopy, { body: { bookId } }, { idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: ({ code }) => {
      notify.success(m.copies_added({ code }));
      refetch();
    },
    onError: refetch,
  });
  const change = useMutation({
    mutationFn: ({ code, action }: { code: string; action: CopyAction }) =>
      send(CALLS[action], { params: { id: code } }),
    meta: { inPlace: true },
    onSettled: refetch,
  });
  const [asked, setAsked] = useState<{ copy: CopyView; action: Exclude<CopyAction, 'found'> } | null>(null);
  const [edited, setEdited] = useState<CopyView | null>(null);
  const [told, setTold] = useState<CopyView | null>(null);

  const act = (copy: CopyView, action: CopyAction) =>
    change.mutate(
      { code: copy.code, action },
      {
        onSuccess: () => {
          if (action === 'found') notify.success(m.copies_back({ code: copy.code }));
        },
        onSettled: () => setAsked(null),
      },
    );
  const refusal = change.error ?? add.error;
  const actions: ListColumn<CopyView> = {
    title: m.common_actions(),
    look: 'action',
    className: styles.actions,
    cell: (copy) => (
      <CopyActions
        copy={copy}
        busy={change.isPending && change.variables.code === copy.code}
        onEdit={() => setEdited(copy)}
        onHistory={() => setTold(copy)}
        onAction={(action) => (action === 'found' ? act(copy, action) : setAsked({ copy, action }))}
      />
    ),
  };
  const table = (items: readonly CopyView[] | undefined) => (
    <ListTable
      columns={[...COLUMNS, actions]}
      items={items}
      keyOf={({ code }) => code}
      rowProps={({ code }) => ({ 'data-copy': code })}
      waiting={2}
    />
  );

  return (
    <section className={styles.copies} aria-labelledby="copies-of-book">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2 [&_h3]:text-3 [&>:last-child]:ml-auto">
        <h3 id="copies-of-book">{m.common_copies()}</h3>
        <p className="quiet" role="status">
          {copies.data && summaryOf(copies.data.states)}
        </p>
        <Button size="small" busy={add.isPending} onClick={() => add.mutate()}>
          {m.copies_add()}
        </Button>
      </div>
      {refusal && <Notice>{sentenceOf(refusal)}</Notice>}
      <PagedList list={list} pagesLabel={m.copies_pages()} empty={table([])}>
        {(shown) => table(shown?.items)}
      </PagedList>
      {told && <CopyHistory copy={told} onClose={() => setTold(null)} />}
      {edited && <CopyDialog copy={edited} onSettled={refetch} onClose={() => setEdited(null)} />}
      {asked && (
        <Confirmation
          question={QUESTIONS[asked.action].ask(asked.copy.code)}
          action={QUESTIONS[asked.action].yes}
          busy={change.isPending}
          onConfirm={() => act(asked.copy, asked.action)}
          onDecline={() => setAsked(null)}
        >
          {QUESTIONS[asked.action].means}
        </Confirmation>
      )}
    </section>
  );
}

interface CopyActionsProps {
  copy: CopyView;
  busy: boolean;
  onEdit: () => void;
  onHistory: () => void;
  onAction: (action: CopyAction) => void;
}

function CopyActions({ copy: { code, state }, busy, onEdit, onHistory, onAction }: CopyActionsProps) {
  return (
    <>
      <Button size="small" look="plain" aria-label={m.copies_edit({ code })} onClick={onEdit}>
        {m.common_edit()}
      </Button>
      <Button size="small" look="plain" aria-label={m.copies_history_of({ code })} onClick={onHistory}>
        {m.copies_history()}
      </Button>
      {ACTIONS[state].map((action) => (
        <Button
          key={action}
          size="small"
          look="plain"
          busy={busy}
          aria-label={m.copies_action_on({ action: wordOf(action, state), code })}
          onClick={() => onAction(action)}
        >
          {wordOf(action, state)}
        </Button>
      ))}
    </>
  );
}

/** "2 of 5 on the shelf, 1 lost". */
function summaryOf(states: CopyPage['states']): string {
  const owned = states['on-shelf'] + states.rented + states.lent;
  return [
    m.copies_on_shelf_of({ shelf: states['on-shelf'], owned }),
    ...(states.lost > 0 ? [m.copies_lost_count({ count: states.lost })] : []),
    ...(states.damaged > 0 ? [m.copies_damaged_count({ count: states.damaged })] : []),
    ...(states.withdrawn > 0 ? [m.copies_withdrawn_count({ count: states.withdrawn })] : []),
  ].join(', ');
}
