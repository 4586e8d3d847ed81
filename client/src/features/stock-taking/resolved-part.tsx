import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import {
  FINDINGS_PAGE_SIZE,
  type Resolution,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { Day } from '../../components/display/day.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { PagedTable } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { useList, type PageAddress } from '../../lib/use-list.js';
import styles from './findings-part.module.css';
import { ResolvingNotice, useResolving } from './resolving-notice.js';
import { useResolutions } from './stock-taking-calls.js';
import { DONE_LABELS, KIND_NAMES } from './labels.js';

const COLUMNS: readonly ListColumn<Resolution>[] = [
  {
    title: m.stock_copy(),
    heads: true,
    label: null,
    className: styles.copy,
    cell: ({ code, bookId, title }) =>
      bookId === null || title === null ? (
        <span className="wrap-anywhere tabular-nums">{code}</span>
      ) : (
        <>
          <StaffLink to={`/admin/books/save/${bookId}`}>{title}</StaffLink>
          <span className="wrap-anywhere tabular-nums block text-ink-soft">{code}</span>
        </>
      ),
  },
  { title: m.stock_it_was(), cell: ({ kind }) => KIND_NAMES[kind] },
  { title: m.stock_decision(), cell: ({ action }) => DONE_LABELS[action] },
  {
    title: m.common_by(),
    cell: ({ by, at }) => (
      <>
        {by ?? m.stock_gone_account()}{' '}
        <span className="note">
          <Day time={at} />
        </span>
      </>
    ),
  },
];

interface ResolvedPartProps {
  taking: StockTakingStanding;
  address: PageAddress;
}

/** What was decided, by whom, and the way back of each. */
export function ResolvedPart({ taking: { id, state }, address }: ResolvedPartProps) {
  const list = useList(address, useResolutions(id, address[0].pageNumber), FINDINGS_PAGE_SIZE);
  const { run, undo, undoOne } = useResolving(id);
  const takeBack: ListColumn<Resolution> = {
    title: m.common_actions(),
    look: 'action',
    className: styles.actions,
    cell: ({ code }) => (
      <Button
        size="small"
        look="plain"
        disabled={state !== 'open' || run?.running}
        aria-label={`${m.common_undo()}: ${code}`}
        onClick={() => void undoOne(code)}
      >
        {m.common_undo()}
      </Button>
    ),
  };
  return (
    <section aria-label={m.stock_dealt_with()} className="flex flex-col gap-4" data-findings="resolved">
      <ResolvingNotice run={run} onUndo={({ batch, done }) => void undo(batch, done)} />
      <PagedTable
        list={list}
        pagesLabel={m.stock_decisions_pages()}
        empty={<EmptyState title={m.stock_no_decisions()}>{m.stock_no_decisions_lead()}</EmptyState>}
        table={{
          columns: [...COLUMNS, takeBack],
          keyOf: ({ code }) => code,
          rowClassName: styles.row,
          rowProps: ({ code }) => ({ 'data-resolved': code }),
          waiting: 8,
        }}
      />
    </section>
  );
}
