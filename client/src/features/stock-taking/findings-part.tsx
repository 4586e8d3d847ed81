import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { useState } from 'react';
import {
  ACTIONS_OF,
  FINDINGS_PAGE_SIZE,
  type Finding,
  type FindingKind,
  type ResolvingAction,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Day } from '../../components/display/day.js';
import { Marked } from '../../components/display/marked.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { PagedList } from '../../components/list/paged-list.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { CopyStateBadge } from '../../domain/catalogue/copy-state-badge.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { useList, type PageAddress } from '../../lib/use-list.js';
import styles from './findings-part.module.css';
import { ResolvingNotice, TakeBack, useResolving } from './resolving-notice.js';
import { useFindings } from './stock-taking-calls.js';
import { inGroups } from '../../lib/texts.js';
import { actionLabel, KIND_LEADS, KIND_NAMES, EMPTY_TEXTS } from './labels.js';
import { classNames } from '../../lib/class-names.js';

interface FindingsPartProps {
  taking: StockTakingStanding;
  kind: FindingKind;
  address: PageAddress;
}

/** What there is of one kind, dealt with one by one or together. */
export function FindingsPart({ taking: { id, state }, kind, address: [values, change] }: FindingsPartProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const address: PageAddress = [
    values,
    (...changes) => {
      setSelected(new Set());
      change(...changes);
    },
  ];
  const list = useList(address, useFindings(id, kind, values.pageNumber), FINDINGS_PAGE_SIZE);
  const { run, resolve, undo, forget } = useResolving(id);
  const [asked, setAsked] = useState<ResolvingAction | null>(null);
  const findings = list.answer.data;
  const total = findings?.totalCount ?? 0;
  // What was dealt with meanwhile, here or by others, is selected no more.
  const chosen = (findings?.items ?? []).map(({ code }) => code).filter((code) => selected.has(code));
  const count = chosen.length > 0 ? chosen.length : total;
  const mayAct = state === 'open' && !run?.running;
  const act = (action: ResolvingAction, codes?: readonly string[]) => {
    setAsked(null);
    setSelected(new Set());
    void resolve(kind, action, codes?.length ?? total, codes);
  };
  const select = (code: string, isSelected: boolean) => {
    const next = new Set(selected);
    if (isSelected) next.add(code);
    else next.delete(code);
    setSelected(next);
  };
  const columns: ListColumn<Finding>[] = [
    {
      title: m.stock_select(),
      label: null,
      className: 'w-12 to-860:row-start-1 to-860:col-span-full',
      cell: ({ code }) => (
        <label
          className={classNames(
            'grid [place-items:center_start] min-h-9 min-w-9 cursor-pointer',
            '[&_input]:size-4 [&_input]:m-0 [&_input]:accent-accent [&_input]:cursor-pointer',
          )}
        >
          <input
            type="checkbox"
            aria-label={m.stock_select_one({ code })}
            checked={selected.has(code)}
            disabled={!mayAct}
            onChange={(event) => select(code, event.target.checked)}
          />
        </label>
      ),
    },
    ...columnsOf(kind),
    {
      title: m.common_actions(),
      look: 'action',
      className: styles.actions,
      cell: (finding) => (
        <Actions
          finding={finding}
          kind={kind}
          mayAct={mayAct}
          onAction={(action) => {
            forget();
            act(action, [finding.code]);
          }}
        />
      ),
    },
  ];

  return (
    <section aria-label={KIND_NAMES[kind]} className="flex flex-col gap-4" data-findings={kind}>
      <p className="max-w-measure text-ink-soft">{KIND_LEADS[kind]}</p>
      <ResolvingNotice run={run} onUndo={({ batch, done }) => void undo(batch, done)} />
      <PagedList
        list={list}
        pagesLabel={m.stock_findings_pages()}
        empty={<EmptyState title={EMPTY_TEXTS[kind]} />}
      >
        {(page, stale) => (
          <>
            <div
              className="flex flex-wrap items-center gap-x-3 gap-y-2"
              role="group"
              aria-label={m.stock_together()}
            >
              <label
                className={classNames(
                  'inline-flex items-center gap-2 min-h-9 mr-2 text-1 tabular-nums cursor-pointer',
                  '[&_input]:size-4 [&_input]:m-0 [&_input]:accent-accent [&_input]:cursor-pointer',
                )}
              >
                <input
                  type="checkbox"
                  disabled={!mayAct || !page}
                  checked={page !== undefined && chosen.length === page.items.length}
                  onChange={(event) =>
                    setSelected(new Set(event.target.checked ? page?.items.map(({ code }) => code) : []))
                  }
                />
                {chosen.length > 0 ? m.list_selected({ count: chosen.length }) : m.stock_select_page()}
              </label>
              {ACTIONS_OF[kind].map((action) => (
                <Button
                  key={action}
                  size="small"
                  disabled={!mayAct || !page}
                  onClick={() => setAsked(action)}
                >
                  {(chosen.length > 0 ? m.stock_act_on : m.stock_act_on_all)({
                    action: actionLabel(kind, action),
                    count: inGroups(count),
                  })}
                </Button>
              ))}
            </div>
            <ListTable
              columns={columns}
              items={page?.items}
              keyOf={({ code }) => code}
              rowClassName={styles.row}
              rowProps={({ code }) => ({ 'data-finding': code })}
              waiting={8}
              stale={stale}
            />
          </>
        )}
      </PagedList>
      {asked && (
        <Confirmation
          question={(kind === 'unknown' ? m.stock_act_on_codes : m.stock_act_on_copies)({
            action: actionLabel(kind, asked),
            count,
          })}
          action={actionLabel(kind, asked)}
          onConfirm={() => act(asked, chosen.length > 0 ? chosen : undefined)}
          onDecline={() => setAsked(null)}
        >
          {MEANS[asked]}
        </Confirmation>
      )}
    </section>
  );
}

const MEANS: Record<ResolvingAction, string> = {
  lost: m.stock_means_lost(),
  move: m.stock_means_move(),
  'bring-back': m.stock_means_bring_back(),
  leave: m.stock_means_leave(),
};

/** Where it was scanned last, or what else tells of it; of what is missing there is nothing. */
const LAST: Record<FindingKind, ListColumn<Finding>[]> = {
  missing: [],
  misplaced: [{ title: m.stock_scanned_column(), cell: ScannedAt }],
  unmarked: [{ title: m.stock_scanned_column(), cell: ScannedAt }],
  found: [
    {
      title: m.stock_state(),
      cell: (finding) =>
        finding.condition !== null && finding.condition !== 'present' ? (
          <CopyStateBadge state={finding.condition} />
        ) : (
          <ScannedAt {...finding} />
        ),
    },
  ],
  lent: [
    {
      title: m.common_reader(),
      cell: (finding) => (finding.borrow ? <LentTo borrow={finding.borrow} /> : <ScannedAt {...finding} />),
    },
  ],
  unknown: [{ title: m.stock_scanned_column(), cell: ScannedAt }],
};

const SHELF_MARK: ListColumn<Finding> = {
  title: m.stock_shelf_mark(),
  cell: ({ shelfMark }) => shelfMark ?? <span aria-label={m.common_none()}>–</span>,
};

function columnsOf(kind: FindingKind): ListColumn<Finding>[] {
  return [
    {
      title: kind === 'unknown' ? m.common_code() : m.stock_copy(),
      heads: true,
      label: null,
      className: styles.copy,
      cell: FoundCopy,
    },
    ...(kind === 'unknown' ? [] : [SHELF_MARK]),
    ...LAST[kind],
  ];
}

function FoundCopy({ code, bookId, title }: Finding) {
  if (bookId === null || title === null) return <span className="wrap-anywhere tabular-nums">{code}</span>;
  return (
    <span className="grid grid-cols-[1.5rem_minmax(0,1fr)] items-center gap-3">
      <SmallCover bookId={bookId} title={title} />
      <span>
        <StaffLink to={`/admin/books/save/${bookId}`}>{title}</StaffLink>
        <span className="wrap-anywhere tabular-nums block text-ink-soft">{code}</span>
      </span>
    </span>
  );
}

function LentTo({ borrow }: { borrow: NonNullable<Finding['borrow']> }) {
  return (
    <>
      <BorrowLink id={borrow.id}>{borrow.user.fullname}</BorrowLink>
      {borrow.dueDate !== null && (
        <span className="note">
          {' '}
          <Marked parts={m.stock_due.parts()} as={{ day: () => <Day time={borrow.dueDate} /> }} />
        </span>
      )}
    </>
  );
}

function ScannedAt({ scan }: Finding) {
  if (!scan) return null;
  return (
    <>
      {scan.shelf === null ? m.stock_no_shelf() : m.stock_on_shelf({ shelf: scan.shelf })}
      <span className="note">
        {' '}
        <Day time={scan.at} />
        {scan.by !== null && `, ${scan.by}`}
      </span>
    </>
  );
}

interface ActionsProps {
  finding: Finding;
  kind: FindingKind;
  mayAct: boolean;
  onAction: (action: ResolvingAction) => void;
}

function Actions({ finding: { code, borrow, scan }, kind, mayAct, onAction }: ActionsProps) {
  return (
    <>
      {kind === 'lent' && borrow && <TakeBack borrow={borrow} code={code} disabled={!mayAct} />}
      {ACTIONS_OF[kind].map((action) => (
        <Button
          key={action}
          size="small"
          look="plain"
          disabled={!mayAct || (action === 'move' && scan?.shelf === null)}
          aria-label={`${actionLabel(kind, action)}: ${code}`}
          onClick={() => onAction(action)}
        >
          {actionLabel(kind, action)}
        </Button>
      ))}
    </>
  );
}
