import * as m from '#words/messages.js';
import { useState } from 'react';
import { z } from 'zod';
import { type PastBorrows, STATE_PAGE_SIZE } from '#contracts/audit/as-of.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { beyondSchema, type BorrowEventType } from '#contracts/borrowing/borrow-events.js';
import { isHoldEventType } from '#contracts/holds/hold-events.js';
import { ErrorState, Skeleton } from '../../../../components/list/placeholders.js';
import { FeeButton } from '../../../../domain/fees/fee-button.js';
import { Marked } from '../../../../components/display/marked.js';
import { PagedList } from '../../../../components/list/paged-list.js';
import { Fact } from '../../../../components/display/fact.js';
import { StatusBadge } from '../../../../domain/borrowing/status-badge.js';
import { isoMinute } from '../../../../lib/dates.js';
import { amountText } from '../../../../domain/fees/money.js';
import { useList } from '../../../../lib/use-list.js';
import {
  changedFields,
  FIELD_NAMES,
  FIELDS,
  type ChangedField,
  type FieldName,
  useChange,
  usePastState,
  usePrefetchedNeighbours,
  useStoredEvent,
} from './get-state.js';
import { beyondText } from '../../../../domain/borrowing/held-copy.js';
import { titlesText, eventText } from '../../../../domain/borrowing/event-labels.js';
import { HoldChange } from './hold-change.js';
import type { HistoryEvent } from '../history/history.js';
import styles from './state-panel.module.css';

interface StatePanelProps {
  readerId: string;
  events: readonly HistoryEvent[];
  /** The number of the chosen event, once nobody moves on at once. */
  number: number;
  /** It is about to change again. */
  moving: boolean;
}

/** What the server says of this reader's borrows at an instant, and what its event changed. */
export function StatePanel({ readerId, events, number, moving }: StatePanelProps) {
  const [page, setPage] = useState(1);
  const [pageOf, setPageOf] = useState(number);
  if (pageOf !== number) {
    setPageOf(number);
    setPage(1);
  }
  const revision = number === 0 ? -1 : (events[number - 1]?.revision ?? -1);
  const state = usePastState(readerId, revision, page);
  const list = useList(
    [{ pageNumber: page }, (next) => setPage(next.pageNumber ?? 1)],
    state,
    STATE_PAGE_SIZE,
  );
  usePrefetchedNeighbours(readerId, events, number, !moving && state.isSuccess);

  if (state.isError && !state.data) {
    return <ErrorState of={state} />;
  }
  // What is on the screen is of the event that the answer names, also while the next one is on its way.
  const shown = state.data ? state.data.asOf.revision + 1 : number;
  const event = events[shown - 1];
  return (
    <section
      className="relative flex flex-col gap-3 min-w-0 p-4 border border-line double-rule bg-surface text-1"
      aria-label={m.audit_state()}
      aria-busy={state.isFetching}
      data-revision={state.data?.asOf.revision}
    >
      <span className={styles.progress} data-busy={state.isPlaceholderData || undefined} aria-hidden="true" />
      <p
        className="font-serif text-3 leading-[1.3] tabular-nums [&_strong]:font-semibold"
        aria-live={moving ? 'off' : 'polite'}
      >
        <Marked
          parts={
            event
              ? m.audit_as_of.parts({ time: isoMinute(event.when), number: shown, total: events.length })
              : m.audit_as_of_nothing.parts()
          }
          as={{
            quiet: (text) => <span className="quiet">{text}</span>,
            strong: (text) => <strong>{text}</strong>,
          }}
        />
      </p>
      <p className="-mt-2 text-ink-soft">{m.audit_read_only()}</p>
      {state.data ? (
        <>
          <Totals state={state.data} />
          {event && <Change readerId={readerId} event={event} />}
          <PagedList
            list={list}
            pagesLabel={m.audit_borrows_pages()}
            empty={<p className="py-4 text-ink-soft">{m.audit_nothing_borrowed()}</p>}
          >
            {(past) => past && <Borrows state={past} changed={event?.borrowId} revision={revision} />}
          </PagedList>
        </>
      ) : (
        <div
          className="py-4 text-ink-soft flex flex-col gap-4 min-h-56"
          role="group"
          aria-busy="true"
          aria-label={m.audit_loading_state()}
        >
          {[40, 100, 100, 70].map((width, index) => (
            <Skeleton key={index} width={`${width}%`} />
          ))}
        </div>
      )}
    </section>
  );
}

function Totals({ state: { totals } }: { state: PastBorrows }) {
  const open =
    totals.byStatus.Rented + totals.byStatus.Issued + totals.byStatus.Not_Paid + totals.byStatus.Paid;
  return (
    <dl className="flex flex-wrap gap-y-2 gap-x-6 py-2 px-0 border-t border-t-line border-b border-b-line tabular-nums [&_dd]:text-2 [&_dd]:font-strong">
      <Fact name={m.common_borrows()}>{totals.borrows}</Fact>
      <Fact name={m.audit_total_open()}>{open}</Fact>
      <Fact name={m.audit_total_charged()}>{amountText(totals.charged)}</Fact>
      <Fact name={m.audit_field_still_to_pay()}>{amountText(totals.due)}</Fact>
    </dl>
  );
}

/** What an event changed, field by field. */
function Change({ readerId, event }: { readerId: string; event: HistoryEvent }) {
  const { before, after } = useChange(event);
  const failed = [before, after].find((query) => query.isError);
  const changes =
    before.data && after.data ? changedFields(before.data.borrow, after.data.borrow) : undefined;
  return (
    <section className="p-3 border-l-3 border-accent-text bg-paper" aria-label={m.audit_changed()}>
      <h2 className="mb-2 text-2 leading-[1.35] [&_cite]:font-serif [&_cite]:not-italic [&_cite]:text-ink-soft">
        {eventText(event)}: <cite>{titlesText(event.titles)}</cite>
      </h2>
      {failed ? (
        <ErrorState of={failed} />
      ) : event.type === 'RentAbandoned' ? (
        <p>{m.audit_rent_abandoned()}</p>
      ) : isHoldEventType(event.type) ? (
        <HoldChange readerId={readerId} event={event} />
      ) : event.borrowId === '' || changes?.length === 0 ? (
        <p>{m.audit_nothing_changed()}</p>
      ) : (
        <ChangeRows changes={changes} />
      )}
      {WITH_MORE.includes(event.type) && <More readerId={readerId} revision={event.revision} />}
    </section>
  );
}

const WITH_MORE: readonly string[] = [
  'BooksIssued',
  'BorrowRenewed',
  'FeeWaived',
] satisfies BorrowEventType[];

/** Beyond which limits it was done, and why, or who asked for it; nothing where none was in the way and nobody did. */
function More({ readerId, revision }: { readerId: string; revision: number }) {
  const stored = useStoredEvent(readerId, revision);
  const { data } = z.object({ beyond: beyondSchema }).safeParse(stored.data?.data);
  const asker = stored.data?.askedBy;
  return (
    <>
      {data && <p className="mt-2">{m.audit_done_beyond({ how: beyondText(data.beyond) })}</p>}
      {asker && <p className="mt-2">{m.audit_asked_by({ name: asker.name })}</p>}
    </>
  );
}

function ChangeRows({ changes }: { changes: ChangedField[] | undefined }) {
  return (
    <table className={styles.changes}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{m.audit_change_field()}</th>
          <th scope="col">{m.audit_change_before()}</th>
          <th scope="col">{m.audit_change_after()}</th>
        </tr>
      </thead>
      <tbody>
        {changes
          ? changes.map(({ name, label, before, after }) => (
              <tr key={name} data-field={name}>
                <th scope="row">{label}</th>
                <td className="text-ink-soft line-through">{before ?? ''}</td>
                <td>
                  <mark className="py-0 px-1 [border-radius:2px] bg-mark text-ink font-strong">{after}</mark>
                </td>
              </tr>
            ))
          : [0, 1].map((row) => (
              <tr key={row}>
                <td colSpan={3}>
                  <Skeleton width="80%" />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  );
}

interface BorrowsProps {
  state: PastBorrows;
  /** The borrow that the event is about. */
  changed: string | undefined;
  revision: number;
}

function Borrows({ state, changed, revision }: BorrowsProps) {
  return (
    <ul role="list" aria-label={m.audit_borrows_then()}>
      {state.items.map((borrow) => (
        <PastBorrow key={borrow.id} borrow={borrow} changed={borrow.id === changed} revision={revision} />
      ))}
    </ul>
  );
}

const FACTS = FIELD_NAMES.filter((name) => FIELDS[name].isFact);

function PastBorrow({
  borrow,
  changed,
  revision,
}: {
  borrow: BorrowView;
  changed: boolean;
  revision: number;
}) {
  const facts = FACTS.map((name) => [FIELDS[name].label, FIELDS[name].text(borrow), name] as const).filter(
    ([, text, name]) => isShown(name, text, borrow),
  );
  return (
    <li
      className={styles.borrow}
      data-borrow-id={borrow.id}
      data-status={borrow.status}
      data-changed={changed || undefined}
    >
      <div className="flex items-baseline justify-between gap-3 mb-1">
        <cite className="font-serif not-italic text-2 leading-[1.3]">
          {titlesText(borrow.borrowedBooks.map(({ title }) => title))}
        </cite>
        <StatusBadge status={borrow.status} />
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-0 tabular-nums [&>div]:flex [&>div]:items-baseline [&>div]:gap-1.5">
        {facts.map(([label, text]) => (
          <Fact key={label} name={label}>
            {text}
          </Fact>
        ))}
        {borrow.fineAmount > 0 && (
          <Fact name={m.common_fee()}>
            <FeeButton asker="auditor" borrow={borrow} asOf={revision} />
            {borrow.fineDue > 0 && `, ${m.audit_fee_to_pay({ amount: amountText(borrow.fineDue) })}`}
          </Fact>
        )}
      </dl>
    </li>
  );
}

/** Leaves out what has not happened, and what no longer matters. */
function isShown(name: FieldName, text: string, borrow: BorrowView): boolean {
  if (name === 'collectBy') return borrow.status === 'Rented';
  if (name === 'renewals') return borrow.renewals > 0;
  return text !== '–';
}
