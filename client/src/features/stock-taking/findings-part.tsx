import { useState } from 'react';
import { Link } from 'react-router-dom';
import {
  ACTIONS_OF,
  FINDINGS_PAGE_SIZE,
  type Finding,
  type FindingKind,
  type ResolvingAction,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { Day } from '../../components/day.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Table } from '../../components/table.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { CopyStateBadge } from '../../domain/catalogue/copy-state-badge.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import styles from './findings-part.module.css';
import { ResolvingNotice } from './resolving-notice.js';
import { useFindings } from './stock-taking-calls.js';
import { TakeBack } from './take-back.js';
import { useResolving } from './use-resolving.js';
import { actionWord, inGroups, KIND_LEADS, NOTHING_OF } from './words.js';

interface FindingsPartProps {
  taking: StockTakingStanding;
  kind: FindingKind;
  page: number;
  onPage: (page: number) => void;
}

/** What there is of one kind, dealt with one by one or together. */
export function FindingsPart({ taking, kind, page, onPage }: FindingsPartProps) {
  const { id, state } = taking;
  const list = useFindings(id, kind, page);
  const { run, resolve, undo, forget } = useResolving(id);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<ResolvingAction | null>(null);
  const findings = list.data;
  const total = findings?.totalCount ?? 0;
  const pages = totalPages(total, FINDINGS_PAGE_SIZE);
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

  return (
    <section aria-label={kind} className={styles.findings} data-findings={kind}>
      <p className={styles.lead}>{KIND_LEADS[kind]}</p>
      <ResolvingNotice run={run} onUndo={({ batch, done }) => void undo(batch, done)} />
      {list.isError && !findings ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : findings && total === 0 ? (
        <EmptyState title={NOTHING_OF[kind]} />
      ) : (
        <>
          <div className={styles.together} role="group" aria-label="Deal with them together">
            <label className={styles.all}>
              <input
                type="checkbox"
                disabled={!mayAct || !findings}
                checked={findings !== undefined && chosen.length === findings.items.length}
                onChange={(event) =>
                  setSelected(new Set(event.target.checked ? findings?.items.map(({ code }) => code) : []))
                }
              />
              {chosen.length > 0 ? `${chosen.length} selected` : 'Select this page'}
            </label>
            {ACTIONS_OF[kind].map((action) => (
              <Button
                key={action}
                size="small"
                disabled={!mayAct || !findings}
                onClick={() => setAsked(action)}
              >
                {actionWord(kind, action)}: {chosen.length > 0 ? count : `all ${inGroups(count)}`}
              </Button>
            ))}
          </div>
          <Table look="reading" columns={columnsOf(kind)} waiting={8} stale={list.isPlaceholderData}>
            {findings?.items.map((finding) => (
              <Row
                key={finding.code}
                finding={finding}
                kind={kind}
                isSelected={selected.has(finding.code)}
                mayAct={mayAct}
                onSelect={(isSelected) => select(finding.code, isSelected)}
                onAction={(action) => {
                  forget();
                  act(action, [finding.code]);
                }}
              />
            ))}
          </Table>
        </>
      )}
      {pages > 1 && (
        <Pagination
          label="Pages of the findings"
          page={page}
          total={pages}
          onPage={(next) => {
            setSelected(new Set());
            if (isPage(next, pages)) onPage(next);
          }}
        />
      )}
      {asked && (
        <Confirmation
          question={`${actionWord(kind, asked)}: ${inGroups(count)} ${kind === 'unknown' ? 'codes' : 'copies'}?`}
          action={actionWord(kind, asked)}
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
  lost: 'They leave the count of copies until they are found. It can be undone here.',
  move: 'Each gets the mark of the shelf where it was scanned. It can be undone here.',
  'bring-back': 'They count among the copies that can be lent again. It can be undone here.',
  leave: 'Nothing is changed in the catalogue; they only leave this list. It can be undone here.',
};

const lastOf: Record<FindingKind, string | null> = {
  missing: null,
  misplaced: 'Scanned',
  unmarked: 'Scanned',
  found: 'State',
  lent: 'Reader',
  unknown: 'Scanned',
};

function columnsOf(kind: FindingKind) {
  const last = lastOf[kind];
  return [
    { title: 'Select', className: styles.selectHead },
    { title: kind === 'unknown' ? 'Code' : 'Copy' },
    ...(kind === 'unknown' ? [] : [{ title: 'Shelf mark' }]),
    ...(last === null ? [] : [{ title: last }]),
    { title: 'Actions', className: styles.actionsHead },
  ];
}

interface RowProps {
  finding: Finding;
  kind: FindingKind;
  isSelected: boolean;
  mayAct: boolean;
  onSelect: (isSelected: boolean) => void;
  onAction: (action: ResolvingAction) => void;
}

function Row({ finding, kind, isSelected, mayAct, onSelect, onAction }: RowProps) {
  const { code, bookId, title, shelfMark, borrow, scan } = finding;
  return (
    <tr role="row" data-finding={code} className={styles.row}>
      <td role="cell" className={styles.select}>
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={`Select ${code}`}
            checked={isSelected}
            disabled={!mayAct}
            onChange={(event) => onSelect(event.target.checked)}
          />
        </label>
      </td>
      <th role="rowheader" scope="row" className={styles.copy}>
        {bookId === null || title === null ? (
          <span className={styles.code}>{code}</span>
        ) : (
          <span className={styles.book}>
            <SmallCover bookId={bookId} title={title} />
            <span>
              <Link to={`/admin/books/save/${bookId}`}>{title}</Link>
              <span className={styles.codeLine}>{code}</span>
            </span>
          </span>
        )}
      </th>
      {kind !== 'unknown' && (
        <td role="cell" data-label="Shelf mark">
          {shelfMark ?? <span aria-label="none">–</span>}
        </td>
      )}
      {lastOf[kind] !== null && (
        <td role="cell" data-label={lastOf[kind]}>
          {kind === 'lent' && borrow ? (
            <>
              <BorrowLink id={borrow.id}>{borrow.user.fullname}</BorrowLink>
              {borrow.dueDate !== null && (
                <span className="note">
                  {' '}
                  due <Day time={borrow.dueDate} />
                </span>
              )}
            </>
          ) : kind === 'found' && finding.condition !== null && finding.condition !== 'present' ? (
            <CopyStateBadge state={finding.condition} />
          ) : (
            scan && (
              <>
                {scan.shelf === null ? 'no shelf said' : `on ${scan.shelf}`}
                <span className="note">
                  {' '}
                  <Day time={scan.at} />
                  {scan.by !== null && `, ${scan.by}`}
                </span>
              </>
            )
          )}
        </td>
      )}
      <td role="cell" className={styles.actions}>
        {kind === 'lent' && borrow && <TakeBack borrow={borrow} code={code} disabled={!mayAct} />}
        {ACTIONS_OF[kind].map((action) => (
          <Button
            key={action}
            size="small"
            look="plain"
            disabled={!mayAct || (action === 'move' && scan?.shelf === null)}
            aria-label={`${actionWord(kind, action)}: ${code}`}
            onClick={() => onAction(action)}
          >
            {actionWord(kind, action)}
          </Button>
        ))}
      </td>
    </tr>
  );
}
