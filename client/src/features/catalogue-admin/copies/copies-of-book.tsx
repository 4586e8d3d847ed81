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
    title: 'Code',
    heads: true,
    look: 'nowrap',
    className: 'font-strong to-860:[order:-2]',
    cell: ({ code }) => code,
  },
  { title: 'Shelf mark', cell: ({ shelfMark }) => shelfMark ?? <span aria-label="none">–</span> },
  {
    title: 'State',
    cell: ({ state, borrow }) => (
      <>
        <CopyStateBadge state={state} />
        {borrow && (
          <p className="mt-1 text-ink-soft">
            {borrow.user.fullname}
            {borrow.dueDate !== null && (
              <>
                , due <Day time={borrow.dueDate} />
              </>
            )}
            {!borrow.isScanned && <span className="quiet"> (presumed)</span>}
          </p>
        )}
      </>
    ),
  },
  {
    title: 'Note',
    look: 'text',
    className: 'max-w-72',
    cell: ({ note }) => note ?? <span aria-label="none">–</span>,
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
    return state === 'lost' ? 'Found' : state === 'damaged' ? 'Repaired' : 'Keep it after all';
  return { lost: 'Lost', damaged: 'Damaged', withdraw: 'Withdraw' }[action];
}

/** What is asked before a copy leaves the count. */
const QUESTIONS: Record<
  Exclude<CopyAction, 'found'>,
  { ask: (code: string) => string; means: string; yes: string }
> = {
  lost: {
    ask: (code) => `Is copy ${code} lost?`,
    means: 'It is out of circulation until you mark it found.',
    yes: 'Yes, it is lost',
  },
  damaged: {
    ask: (code) => `Is copy ${code} too damaged to be lent?`,
    means: 'It is out of circulation until you mark it repaired.',
    yes: 'Yes, it is damaged',
  },
  withdraw: {
    ask: (code) => `Withdraw copy ${code} from the library?`,
    means: 'It leaves the collection for good. Its number is not used again.',
    yes: 'Withdraw it',
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
      notify.success(`Copy ${code} added`);
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
          if (action === 'found') notify.success(`Copy ${copy.code} is on the shelf again`);
        },
        onSettled: () => setAsked(null),
      },
    );
  const refusal = change.error ?? add.error;
  const actions: ListColumn<CopyView> = {
    title: 'Actions',
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
        <h3 id="copies-of-book">Copies</h3>
        <p className="quiet" role="status">
          {copies.data && summaryOf(copies.data.states)}
        </p>
        <Button size="small" busy={add.isPending} onClick={() => add.mutate()}>
          Add a copy
        </Button>
      </div>
      {refusal && <Notice>{sentenceOf(refusal)}</Notice>}
      <PagedList list={list} pagesLabel="Pages of copies" empty={table([])}>
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
      <Button size="small" look="plain" aria-label={`Edit copy ${code}`} onClick={onEdit}>
        Edit
      </Button>
      <Button size="small" look="plain" aria-label={`History of copy ${code}`} onClick={onHistory}>
        History
      </Button>
      {ACTIONS[state].map((action) => (
        <Button
          key={action}
          size="small"
          look="plain"
          busy={busy}
          aria-label={`${wordOf(action, state)}: copy ${code}`}
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
  const out = (['lost', 'damaged', 'withdrawn'] as const).flatMap((state) =>
    states[state] > 0 ? [`${states[state]} ${state}`] : [],
  );
  return [`${states['on-shelf']} of ${owned} on the shelf`, ...out].join(', ');
}
