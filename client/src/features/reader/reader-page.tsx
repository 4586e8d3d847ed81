import * as m from '#words/messages.js';
import { renewMembership } from '#contracts/accounts/readers.js';
import { placeHold } from '#contracts/holds/hold-views.js';
import { useMay, useMayForOthers } from '../../lib/session.js';
import { StaffButtonLink } from '../../domain/staff-link.js';
import { useParams } from 'react-router-dom';
import type { ReaderPanel, Visit } from '#contracts/accounts/reader-card.js';
import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { Button } from '../../components/form/button.js';
import { ErrorState, Skeleton, SkeletonLines } from '../../components/list/placeholders.js';
import { Fact } from '../../components/display/fact.js';
import { Marked } from '../../components/display/marked.js';
import { Meter } from '../../components/display/meter.js';
import part from '../../components/display/page-part.module.css';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { amountText } from '../../domain/fees/money.js';
import { useReaderPanel } from '../../domain/readers/get-reader-panel.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay, isoMinute } from '../../lib/dates.js';
import { CardSection, NoticeSection } from './notice-section.js';
import { OpenBorrows } from './open-borrows.js';
import styles from './reader-page.module.css';
import { useState, useCallback } from 'react';
import { HoldList } from '../../domain/holds/hold-list.js';
import { ReserveTitle } from '../../domain/holds/reserve-title.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { RenewMembership } from '../../domain/readers/renew-membership.js';
import { PrintedSlip, SlipPaperChoice } from '../../domain/readers/slip/slip.js';

/** A reader at the desk: what they have and owe, their card, and what is to be said to them. */
export function ReaderPage() {
  const { id = '' } = useParams();
  const panel = useReaderPanel(id);
  usePageTitle(panel.data?.reader.fullname ?? m.common_reader());
  if (panel.isError && !panel.data) {
    return <ErrorState of={panel} />;
  }
  return (
    <>
      <Head panel={panel.data} />
      {panel.data ? (
        <div
          className="grid grid-cols-[minmax(0,1fr)_20.5rem] items-start gap-10 to-1180:grid-cols-1"
          data-reader-panel={panel.data.reader.userName}
        >
          <div className="flex flex-col gap-6 min-w-0">
            <NoticeSection readerId={id} notice={panel.data.notice} />
            <Standing panel={panel.data} />
            <OpenBorrows borrows={panel.data.borrows} holds={panel.data.holds} />
            <HoldsSection panel={panel.data} />
            <Visits visits={panel.data.visits} reader={panel.data.reader} />
          </div>
          <CardSection card={panel.data.card} reader={panel.data.reader} />
        </div>
      ) : (
        <SkeletonLines label={m.readers_loading()} widths={[70, 50, 60]} />
      )}
    </>
  );
}

function Head({ panel }: { panel: ReaderPanel | undefined }) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 mb-6 pb-4 [border-bottom:3px_double_var(--line-strong)] [&>:first-child]:min-w-0">
      <div>
        <h2 className="text-4 wrap-anywhere">{panel?.reader.fullname ?? <Skeleton width="12rem" />}</h2>
        {panel && (
          <p className={part.about}>
            <span>{panel.reader.userName}</span>
            <a href={`mailto:${panel.reader.email}`}>{panel.reader.email}</a>
            {panel.reader.phone !== null && <a href={`tel:${panel.reader.phone}`}>{panel.reader.phone}</a>}
            {panel.reader.guardian !== null && (
              <span>{m.readers_head_guardian({ name: panel.reader.guardian })}</span>
            )}
            <span>{m.readers_head_since({ day: isoDay(panel.reader.created) })}</span>
            <Membership reader={panel.reader} />
            {panel.reader.kind !== 'adult' && (
              <span data-reader-kind={panel.reader.kind}>{READER_KIND_LABELS[panel.reader.kind]()}</span>
            )}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <LiveBadge />
        {panel && (
          <StaffButtonLink size="small" to={`/admin/users?q=${encodeURIComponent(panel.reader.userName)}`}>
            {m.readers_details()}
          </StaffButtonLink>
        )}
      </div>
    </header>
  );
}

/** Until when they are a member; a press changes it. */
function Membership({ reader }: { reader: Reader }) {
  const [isOpen, setOpen] = useState(false);
  const { memberUntil } = reader;
  const until =
    memberUntil === null ? m.readers_head_without_end() : m.readers_head_until({ day: memberUntil });
  return (
    <>
      {useMay(renewMembership) ? (
        <button type="button" className="underline cursor-pointer" onClick={() => setOpen(true)}>
          {until}
        </button>
      ) : (
        <span>{until}</span>
      )}
      {isOpen && <RenewMembership reader={reader} until={memberUntil} onClose={() => setOpen(false)} />}
    </>
  );
}

function Standing({ panel: { books, owes, refund } }: { panel: ReaderPanel }) {
  return (
    <dl className={styles.standing}>
      <Fact name={m.common_books()} data-fact="books">
        <Marked
          parts={m.readers_books_of_limit.parts(books)}
          as={{ figure: (children) => <span className={styles.figure}>{children}</span> }}
        />
        <Meter className="max-w-64 mt-1" value={books.have} max={books.most} label={m.readers_of_limit()} />
      </Fact>
      <Fact name={m.readers_owes()} data-fact="owes" data-loud={owes > 0 || undefined}>
        <span className={styles.figure}>{owes === 0 ? m.readers_owes_nothing() : amountText(owes)}</span>
      </Fact>
      {refund > 0 && (
        <Fact name={m.readers_owed()} data-fact="refund" data-loud>
          <span className={styles.figure}>{amountText(refund)}</span>
        </Fact>
      )}
    </dl>
  );
}

/** What the reader waits for. What is kept for them is rented, and among what they have now. */
function HoldsSection({ panel: { reader, holds } }: { panel: ReaderPanel }) {
  const [reserving, setReserving] = useState(false);
  const waiting = holds.filter(({ state }) => state !== 'Ready');
  return (
    <section aria-labelledby="reader-holds" data-holds-of={reader.id}>
      <div className={part.titleRow}>
        <h3 id="reader-holds">{m.readers_waits_for()}</h3>
        {useMayForOthers(placeHold) && (
          <Button size="small" onClick={() => setReserving(true)}>
            {m.readers_reserve_title()}
          </Button>
        )}
      </div>
      {waiting.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">{m.readers_no_holds()}</p>
      ) : (
        <HoldList holds={waiting} to="desk" />
      )}
      {reserving && <ReserveTitle reader={reader} onClose={() => setReserving(false)} />}
    </section>
  );
}

/** When the reader was at the desk; of each visit a slip can be printed. */
function Visits({ visits, reader }: { visits: readonly Visit[]; reader: Reader }) {
  const [printed, setPrinted] = useState<Visit | null>(null);
  const done = useCallback(() => setPrinted(null), []);
  return (
    <section aria-labelledby="visits">
      <header className={part.titleRow}>
        <h3 id="visits">{m.readers_visits()}</h3>
        {visits.length > 0 && <SlipPaperChoice />}
      </header>
      {visits.length === 0 ? (
        <p className="py-2 text-ink-soft text-1">{m.readers_no_visits()}</p>
      ) : (
        <ol role="list">
          {visits.map((visit) => (
            <li key={visit.at} className={styles.visit} data-visit={isoDay(visit.at)}>
              <time dateTime={visit.at}>{isoMinute(visit.at)}</time>
              <p>{wordsOf(visit)}</p>
              <Button
                size="small"
                look="plain"
                aria-label={m.readers_print_slip_of({ at: isoMinute(visit.at) })}
                onClick={() => setPrinted(visit)}
              >
                {m.readers_print_slip()}
              </Button>
            </li>
          ))}
        </ol>
      )}
      {printed && <PrintedSlip visit={printed} reader={reader} onDone={done} />}
    </section>
  );
}

function wordsOf({ issued, returned }: Visit): string {
  const titles = (handed: Visit['issued']) => handed.flatMap((each) => each.titles).join(', ');
  const parts = [
    issued.length > 0 && m.readers_visit_took({ titles: titles(issued) }),
    returned.length > 0 && m.readers_visit_brought_back({ titles: titles(returned) }),
  ];
  return parts.filter(Boolean).join('; ');
}
