import { useState } from 'react';
import {
  COPIES_PAGE_SIZE,
  type CopyPage,
  type CopyState,
  type CopyView,
} from '#contracts/copies/copy-views.js';
import { Button } from '../../../components/button.js';
import { Confirmation } from '../../../components/confirmation.js';
import { Day } from '../../../components/day.js';
import { ErrorState } from '../../../components/error-state.js';
import { Notice } from '../../../components/notice.js';
import { Pagination } from '../../../components/pagination.js';
import { Table } from '../../../components/table.js';
import { CopyStateBadge } from '../../../domain/catalogue/copy-state-badge.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { notify } from '../../../lib/notify.js';
import { useAddCopy, useChangeCopy, useCopies, type CopyAction } from './copy-calls.js';
import { CopyDialog } from './copy-dialog.js';
import { CopyHistory } from './copy-history.js';
import styles from './copies-of-book.module.css';

const COLUMNS = [
  { title: 'Code' },
  { title: 'Shelf mark' },
  { title: 'State' },
  { title: 'Note' },
  { title: 'Actions', className: styles.actionsHead },
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
    return state === 'lost' ? 'Found' : state === 'damaged' ? 'Repaired' : 'Keep after all';
  return { lost: 'Lost', damaged: 'Damaged', withdraw: 'Withdraw' }[action];
}

/** What is asked before a copy leaves the count. */
const QUESTIONS: Record<
  Exclude<CopyAction, 'found'>,
  { ask: (code: string) => string; means: string; yes: string }
> = {
  lost: {
    ask: (code) => `Is copy ${code} lost?`,
    means: 'It leaves the count of copies, until you say that it was found.',
    yes: 'Yes, it is lost',
  },
  damaged: {
    ask: (code) => `Is copy ${code} too damaged to be lent?`,
    means: 'It leaves the count of copies, until you say that it was repaired.',
    yes: 'Yes, it is damaged',
  },
  withdraw: {
    ask: (code) => `Withdraw copy ${code} from the library?`,
    means: 'It leaves the count of copies for good. Its number is not given again.',
    yes: 'Withdraw it',
  },
};

/** The copies of a book, one by one: where each is, and what may be done with it. */
export function CopiesOfBook({ bookId }: { bookId: number }) {
  const [page, setPage] = useState(1);
  const copies = useCopies(bookId, page);
  const add = useAddCopy(bookId, copies.data?.totalCount ?? 0);
  const change = useChangeCopy(bookId);
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
  const pages = Math.ceil((copies.data?.totalCount ?? 0) / COPIES_PAGE_SIZE);
  const refusal = change.error ?? add.error;

  return (
    <section className={styles.copies} aria-labelledby="copies-of-book">
      <div className={styles.head}>
        <h3 id="copies-of-book">Copies</h3>
        <p className="quiet" role="status">
          {copies.data && summaryOf(copies.data.states)}
        </p>
        <Button size="small" busy={add.isPending} onClick={() => add.mutate()}>
          Add a copy
        </Button>
      </div>
      {refusal && <Notice>{sentenceOf(refusal)}</Notice>}
      {copies.isError && !copies.data ? (
        <ErrorState error={copies.error} onRetry={() => void copies.refetch()} retrying={copies.isFetching} />
      ) : (
        <Table look="reading" columns={COLUMNS} waiting={2}>
          {copies.data?.items.map((copy) => (
            <CopyRow
              key={copy.code}
              copy={copy}
              busy={change.isPending && change.variables.code === copy.code}
              onEdit={() => setEdited(copy)}
              onHistory={() => setTold(copy)}
              onAction={(action) => (action === 'found' ? act(copy, action) : setAsked({ copy, action }))}
            />
          ))}
        </Table>
      )}
      {pages > 1 && <Pagination label="Pages of copies" page={page} total={pages} onPage={setPage} />}
      {told && <CopyHistory copy={told} onClose={() => setTold(null)} />}
      {edited && <CopyDialog copy={edited} onClose={() => setEdited(null)} />}
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

interface CopyRowProps {
  copy: CopyView;
  busy: boolean;
  onEdit: () => void;
  onHistory: () => void;
  onAction: (action: CopyAction) => void;
}

function CopyRow({ copy, busy, onEdit, onHistory, onAction }: CopyRowProps) {
  const { code, state, shelfMark, note, borrow } = copy;
  return (
    <tr role="row" data-copy={code}>
      <th role="rowheader" scope="row" data-label="Code" className={styles.code}>
        {code}
      </th>
      <td role="cell" data-label="Shelf mark">
        {shelfMark ?? <span aria-label="none">–</span>}
      </td>
      <td role="cell" data-label="State">
        <CopyStateBadge state={state} />
        {borrow && (
          <p className={styles.borrow}>
            {borrow.user.fullname}
            {borrow.dueDate !== null && (
              <>
                , due <Day time={borrow.dueDate} />
              </>
            )}
            {!borrow.isScanned && <span className="quiet"> (presumed)</span>}
          </p>
        )}
      </td>
      <td role="cell" data-label="Note" className={styles.note}>
        {note ?? <span aria-label="none">–</span>}
      </td>
      <td role="cell" className={styles.actions}>
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
      </td>
    </tr>
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
