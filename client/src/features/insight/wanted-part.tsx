import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { Link } from 'react-router-dom';
import {
  HOLD_OUTCOMES,
  TITLES_SHOWN,
  type InsightQuery,
  type WantedInsight,
  type WantedTitle,
} from '#contracts/insight/insight.js';
import { Choice } from '../../components/form/choice.js';
import { Day } from '../../components/display/day.js';
import type { ListColumn } from '../../components/list/table.js';
import { Marked } from '../../components/display/marked.js';
import { FigureLink, TablePart } from './part-frame.js';
import { useInsightAddress, useIsInAdminArea } from './insight-address.js';
import { useWanted } from './insight-calls.js';
import styles from './insight-page.module.css';
import { inGroups } from '../../lib/texts.js';
import { HAPPENING_LABELS, happeningWord } from './labels.js';

const WAITS = [7, 14, 21, 28];

/** What is waited for, and how many copies more would do. */
export function WantedPart({ span }: { span: InsightQuery }) {
  const [{ within }, change] = useInsightAddress();
  const query = { ...span, within };
  const wanted = useWanted(query);
  const choices = WAITS.includes(within) ? WAITS : [...WAITS, within].sort((one, other) => one - other);
  return (
    <>
      <div className="mb-3 phone:[&_label]:whitespace-normal">
        <Choice
          label={m.insight_longest_wait()}
          value={String(within)}
          options={choices.map((days) => ({ value: String(days), label: daysOf(days) }))}
          onChoose={(days) => change({ within: Number(days) })}
        />
      </div>
      <TablePart
        of="wanted"
        span={query}
        answer={wanted}
        sum={(answer) => <Sum wanted={answer} />}
        isEmpty={({ totalCount }) => totalCount === 0}
        columnsOf={() => columnsOf(within)}
        keyOf={({ bookId }) => bookId}
        rowProps={({ bookId }) => ({ 'data-wanted': bookId })}
      />
    </>
  );
}

/** @param within days that nobody is to wait longer */
const columnsOf = (within: number): ListColumn<WantedTitle>[] => [
  {
    title: m.common_book_title(),
    label: null,
    className: styles.name,
    cell: (title) => <WantedName wanted={title} within={within} />,
  },
  {
    title: m.common_copies(),
    look: 'number',
    about: m.insight_lendable_about(),
    cell: ({ copies }) => inGroups(copies),
  },
  {
    title: m.insight_column_wait(),
    look: 'number',
    about: m.insight_column_wait_about(),
    cell: ({ bookId, title, waiting, paused }) => (
      <>
        <FigureLink
          count={waiting}
          what="Waiting"
          bookId={bookId}
          label={m.insight_waiting_for({ count: waiting, title })}
        />
        {paused > 0 && (
          <span className="note">
            {' '}
            {paused === waiting ? m.insight_all_pause() : m.insight_some_pause({ count: paused })}
          </span>
        )}
      </>
    ),
  },
  {
    title: m.insight_column_first_since(),
    look: 'number',
    about: m.insight_column_first_since_about(),
    cell: ({ firstSince }) => <Day time={firstSince} />,
  },
  {
    title: m.insight_column_last_in(),
    look: 'number',
    about: m.insight_column_last_in_about(),
    cell: ({ lastInDays }) =>
      lastInDays === null ? <span title={m.insight_not_known()}>–</span> : daysOf(lastInDays),
  },
  {
    title: m.insight_column_to_buy(),
    look: 'number',
    cell: ({ copiesToBuy }) => (copiesToBuy === 0 ? '–' : <strong>{inGroups(copiesToBuy)}</strong>),
  },
  ...HOLD_OUTCOMES.map((outcome): ListColumn<WantedTitle> => ({
    title: HAPPENING_LABELS[outcome],
    look: 'number',
    about: m.insight_column_outcome_about(),
    cell: ({ bookId, title, [outcome]: count }) => (
      <FigureLink
        count={count}
        what={outcome}
        bookId={bookId}
        label={m.insight_reservations_of({ count, title, what: happeningWord(outcome) })}
      />
    ),
  })),
];

function WantedName({ wanted, within }: { wanted: WantedTitle; within: number }) {
  const { bookId, title } = wanted;
  return (
    <>
      <Link to={`/book/${bookId}`}>{title}</Link>
      <span className="block text-ink-soft font-regular text-1">
        {reasonOf(wanted, within)}
        {useIsInAdminArea() && (
          <>
            {' '}
            <StaffLink to={`/admin/holds/${bookId}`} aria-label={m.insight_queue_of({ title })}>
              {m.insight_queue()}
            </StaffLink>
          </>
        )}
      </span>
    </>
  );
}

/** Why so many are suggested, or none. */
function reasonOf({ kind, copiesToBuy, lastInDays, waiting, paused }: WantedTitle, within: number): string {
  if (kind === 'reading-room') return m.insight_reason_reading_room();
  if (waiting === paused) return m.insight_reason_paused();
  if (copiesToBuy === 0) return m.insight_reason_enough({ days: daysOf(within) });
  const told = { count: copiesToBuy, days: daysOf(within) };
  return lastInDays === null
    ? m.insight_reason_copies_unknown(told)
    : m.insight_reason_copies({ ...told, now: daysOf(lastInDays) });
}

function Sum({ wanted }: { wanted: WantedInsight }) {
  const { waiting, totalCount, copiesToBuy } = wanted;
  return (
    <>
      {waiting === 0 ? (
        m.insight_nobody_waits()
      ) : (
        <>
          <Marked
            parts={m.insight_waiting_for_titles.parts({ waiting, titles: totalCount })}
            as={{
              figure: () => (
                <FigureLink
                  count={waiting}
                  what="Waiting"
                  label={m.insight_reservations_waiting({ count: waiting })}
                />
              ),
            }}
          />
          {copiesToBuy > 0 && `; ${m.insight_more_copies({ count: copiesToBuy })}`}
          {totalCount > TITLES_SHOWN && `; ${m.insight_titles_shown({ count: TITLES_SHOWN })}`}
        </>
      )}
      <span className="block text-ink-soft font-regular text-1">
        {m.insight_of_all_titles()}{' '}
        {HOLD_OUTCOMES.map((outcome, index) => (
          <span key={outcome}>
            {index > 0 && ' · '}
            <Marked
              parts={m.insight_figure_of.parts({ what: happeningWord(outcome) })}
              as={{
                figure: () => (
                  <FigureLink
                    count={wanted[outcome]}
                    what={outcome}
                    label={m.insight_reservations_all({
                      count: wanted[outcome],
                      what: happeningWord(outcome),
                    })}
                  />
                ),
              }}
            />
          </span>
        ))}
      </span>
    </>
  );
}

const daysOf = (days: number) => m.common_days({ count: days });
