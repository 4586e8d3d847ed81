import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import Mail from 'lucide-react/icons/mail';
import { Link } from 'react-router-dom';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { WORK, WORK_SHOWN, type Today, type Work } from '#contracts/dashboard/today.js';
import { daysBetween } from '#contracts/local-day.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { BorrowLink } from '../../domain/borrowing/borrow-link.js';
import { titlesOf, waitingBooks } from '../../domain/borrowing/borrow-texts.js';
import { WorkHead } from '../../components/display/work-head.js';
import { Marked } from '../../components/display/marked.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { amountText } from '../../domain/fees/money.js';
import { isoDay, isoMinute } from '../../lib/dates.js';
import { classNames } from '../../lib/class-names.js';
import styles from './work-lists.module.css';
import { LAPSED_SHOWN_DAYS } from '#contracts/holds/hold-views.js';

interface WorkKind {
  title: string;
  /** The whole list, in the queue. */
  to: string;
  /** What is said where there is nothing to do. */
  none: string;
  /** What of a borrow matters in this list; late things are loud. */
  words: (borrow: BorrowView, today: string) => { text: string; isLoud?: boolean };
  /** It is about the books of a borrow that wait, and not about those that were collected. */
  isOfWaiting?: true;
}

const KINDS: Record<Work, WorkKind> = {
  toHandOut: {
    title: m.dashboard_to_hand_out(),
    to: '/admin/borrows?status=Rented',
    none: m.dashboard_to_hand_out_none(),
    isOfWaiting: true,
    words: ({ rentDate, collectBy }, today) => ({
      text:
        isoDay(rentDate) === today
          ? m.dashboard_rented_at({ time: isoMinute(rentDate).slice(11) })
          : m.dashboard_collect_until({ day: isoDay(collectBy) }),
    }),
  },
  dueToday: {
    title: m.common_due_today(),
    to: '/admin/borrows?only=DueToday&sort=DueDate&direction=Ascending',
    none: m.dashboard_due_today_none(),
    words: ({ renewals }) => ({ text: renewals === 0 ? '' : m.dashboard_renewed() }),
  },
  overdue: {
    title: m.common_overdue(),
    to: '/admin/borrows?only=Overdue&sort=DueDate&direction=Ascending',
    none: m.dashboard_overdue_none(),
    words: ({ dueDate }, today) => ({
      text: dueDate === null ? '' : m.dashboard_days_late({ count: daysBetween(isoDay(dueDate), today) }),
      isLoud: true,
    }),
  },
  fees: {
    title: m.dashboard_fees(),
    to: '/admin/borrows?status=Not_Paid&sort=DueDate&direction=Ascending',
    none: m.dashboard_fees_none(),
    words: ({ fineDue }) => ({ text: amountText(fineDue), isLoud: true }),
  },
  toPayOut: {
    title: m.dashboard_to_pay_out(),
    to: '/admin/borrows?only=ToPayOut&direction=Ascending',
    none: m.dashboard_to_pay_out_none(),
    words: ({ refundDue }) => ({ text: amountText(refundDue), isLoud: true }),
  },
  lastDayToCollect: {
    title: m.dashboard_last_day_to_collect(),
    to: '/admin/borrows?only=LastDayToCollect&direction=Ascending',
    none: m.dashboard_last_day_to_collect_none(),
    isOfWaiting: true,
    words: ({ rentDate }) => ({ text: m.dashboard_rented_on({ day: isoDay(rentDate) }) }),
  },
};

function FirstCover({ borrow: { borrowedBooks } }: { borrow: Pick<BorrowView, 'borrowedBooks'> }) {
  const [book] = borrowedBooks;
  return book ? (
    <SmallCover bookId={book.bookId} title={book.title} className="phone:row-span-2" />
  ) : (
    <span />
  );
}

/** The lists of work. Those with nothing in them are a line each. @param today undefined while loading */
export function WorkLists({ today }: { today: Today | undefined }) {
  return WORK.map((work) =>
    today?.work[work].total === 0 ? (
      <Folded key={work} work={work} title={KINDS[work].title} none={KINDS[work].none} />
    ) : (
      <section key={work} className="my-6 first:mt-0" data-work={work} aria-labelledby={`work-${work}`}>
        <WorkHead work={work} title={KINDS[work].title} total={today?.work[work].total}>
          {today && today.work[work].total > WORK_SHOWN && (
            <WholeList work={work} total={today.work[work].total} />
          )}
        </WorkHead>
        {today ? (
          <WorkRows work={work} today={today} />
        ) : (
          <div className="py-2 text-ink-soft text-1 grid gap-3" aria-busy="true">
            <Skeleton width="80%" />
            <Skeleton width="65%" />
          </div>
        )}
      </section>
    ),
  );
}

/** A part of the day's work with nothing in it: one line. */
function Folded({ work, title, none }: { work: string; title: string; none: string }) {
  return (
    <section
      className="flex flex-wrap items-baseline gap-x-3 py-2 border-b border-line first:pt-0"
      data-work={work}
      aria-labelledby={`work-${work}`}
    >
      <h3 id={`work-${work}`} className="text-2">
        {title}
      </h3>
      <p className="text-ink-soft text-1">{none}</p>
    </section>
  );
}

function WholeList({ work, total }: { work: Work; total: number }) {
  const { title, to } = KINDS[work];
  return (
    <Link to={to} className="ml-auto text-1 tabular-nums">
      <Marked
        parts={m.dashboard_whole_list.parts({ total, title })}
        as={{ list: (words) => <span className="visually-hidden">{words}</span> }}
      />
    </Link>
  );
}

function WorkRows({ work, today }: { work: Work; today: Today }) {
  const { items } = today.work[work];
  const { words, isOfWaiting = false } = KINDS[work];
  return (
    <ul role="list">
      {items.map((borrow) => {
        const { text, isLoud } = words(borrow, today.day);
        const about = isOfWaiting ? { borrowedBooks: waitingBooks(borrow) } : borrow;
        const email = work === 'overdue' ? today.emails[borrow.user.id] : undefined;
        return (
          <li
            key={borrow.id}
            className={classNames(
              'grid grid-cols-[auto_minmax(0,1fr)_minmax(0,12rem)_8.5rem]',
              'items-center gap-3 min-h-10.5 border-b border-line text-1',
              'hover:bg-surface',
              'phone:grid-cols-[auto_minmax(0,1fr)_auto] phone:gap-x-3 phone:gap-y-0 phone:py-2 phone:px-0',
            )}
            data-borrow-id={borrow.id}
          >
            <FirstCover borrow={about} />
            <BorrowLink
              id={borrow.id}
              className={classNames(
                'truncate text-ink font-serif text-2 leading-[2.5rem] no-underline',
                'hover:underline focus-visible:-outline-offset-2',
                'phone:col-[2_/_-1] phone:whitespace-normal phone:leading-[1.3] phone:py-1 phone:px-0',
              )}
            >
              {titlesOf(about)}
            </BorrowLink>
            <span className={styles.reader}>
              <StaffLink to={`/admin/readers/${borrow.user.id}`}>{borrow.user.fullname}</StaffLink>
              {email !== undefined && (
                <a
                  href={`mailto:${email}`}
                  className="grid place-items-center flex-none size-8 rounded hover:bg-accent-wash"
                  title={email}
                >
                  <Mail size={15} aria-hidden="true" />
                  <span className="visually-hidden">
                    {m.dashboard_write_to({ name: borrow.user.fullname, email })}
                  </span>
                </a>
              )}
            </span>
            <span className={classNames(styles.words, isLoud && styles.loud)}>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** Holds in figures, each a way to its list. @param holds undefined while loading */
export function HoldsToday({ holds }: { holds: Today['holds'] | undefined }) {
  if (holds && holds.onShelf + holds.notCollected + holds.waiting === 0)
    return <Folded work="holds" title={m.common_holds()} none={m.dashboard_holds_none()} />;
  return (
    <section className="my-6" data-work="holds" aria-labelledby="work-holds">
      <WorkHead work="holds" title={m.common_holds()} />
      {holds ? (
        <ul role="list">
          <Figure name="onShelf" to="/admin/holds" words={onShelfText(holds)} isLoud={holds.lastDay > 0} />
          <Figure name="notCollected" to="/admin/holds?list=lapsed" words={notCollectedText(holds)} />
          <Figure name="waiting" to="/admin/holds?list=queues" words={waitingText(holds)} />
        </ul>
      ) : (
        <div className="py-2 text-ink-soft text-1 grid gap-3" aria-busy="true">
          <Skeleton width="50%" />
        </div>
      )}
    </section>
  );
}

interface FigureProps {
  name: keyof Today['holds'];
  words: [sentence: string, more?: string];
  /** The list that it counts. */
  to: string;
  isLoud?: boolean;
}

function Figure({ name, words: [sentence, more], to, isLoud }: FigureProps) {
  return (
    <li
      className="flex items-center justify-between gap-3 min-h-10.5 border-b border-line text-1 [&_a]:text-ink [&_a]:[text-decoration-color:var(--line-strong)]"
      data-holds={name}
    >
      <StaffLink to={to}>{sentence}</StaffLink>
      {more !== undefined && <span className={classNames(styles.words, isLoud && styles.loud)}>{more}</span>}
    </li>
  );
}

function onShelfText({ onShelf, lastDay }: Today['holds']): FigureProps['words'] {
  if (onShelf === 0) return [m.dashboard_on_shelf_none()];
  const kept = m.dashboard_on_shelf({ count: onShelf });
  return lastDay === 0 ? [kept] : [kept, m.dashboard_on_last_day({ count: lastDay })];
}

function notCollectedText({ notCollected }: Today['holds']): FigureProps['words'] {
  const within = m.dashboard_within_days({ days: LAPSED_SHOWN_DAYS });
  if (notCollected === 0) return [m.dashboard_not_collected_none(), within];
  return [m.dashboard_not_collected({ count: notCollected }), within];
}

function waitingText({ waiting }: Today['holds']): FigureProps['words'] {
  if (waiting === 0) return [m.dashboard_waiting_none()];
  return [m.dashboard_waiting({ count: waiting })];
}
