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
import { FigureLink, TablePart } from './part-frame.js';
import { useInsightAddress, useIsInAdminArea } from './insight-address.js';
import { useWanted } from './insight-calls.js';
import styles from './insight-page.module.css';
import { counted, inGroups } from '../../lib/texts.js';
import { HAPPENING_LABELS } from './labels.js';

const WAITS = [7, 14, 21, 28];

/** What is waited for, and how many copies more would do. */
export function WantedPart({ span }: { span: InsightQuery }) {
  const [{ within }, change] = useInsightAddress();
  const query = { ...span, within };
  const wanted = useWanted(query);
  const choices = WAITS.includes(within) ? WAITS : [...WAITS, within].sort((one, other) => one - other);
  return (
    <>
      <div className="mb-3">
        <Choice
          label="Longest acceptable wait"
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
    title: 'Title',
    label: null,
    className: styles.name,
    cell: (title) => <WantedName wanted={title} within={within} />,
  },
  {
    title: 'Copies',
    look: 'number',
    about: 'That can be lent: not lost, damaged or withdrawn',
    cell: ({ copies }) => inGroups(copies),
  },
  {
    title: 'Wait',
    look: 'number',
    about: 'Readers who wait now',
    cell: ({ bookId, title, waiting, paused }) => (
      <>
        <FigureLink count={waiting} what="Waiting" bookId={bookId} of={`readers who wait for ${title}`} />
        {paused > 0 && (
          <span className="note">
            {' '}
            {paused === waiting ? 'all pause' : `${paused} ${paused === 1 ? 'pauses' : 'pause'}`}
          </span>
        )}
      </>
    ),
  },
  {
    title: 'First since',
    look: 'number',
    about: 'When the first in the queue reserved it',
    cell: ({ firstSince }) => <Day time={firstSince} />,
  },
  {
    title: 'Last in',
    look: 'number',
    about: 'About when the last in the queue has a copy',
    cell: ({ lastInDays }) => (lastInDays === null ? <span title="Not known">–</span> : daysOf(lastInDays)),
  },
  {
    title: 'To buy',
    look: 'number',
    cell: ({ copiesToBuy }) => (copiesToBuy === 0 ? '–' : <strong>{inGroups(copiesToBuy)}</strong>),
  },
  ...HOLD_OUTCOMES.map((outcome): ListColumn<WantedTitle> => ({
    title: HAPPENING_LABELS[outcome],
    look: 'number',
    about: 'Reservations in these days',
    cell: ({ bookId, title, [outcome]: count }) => (
      <FigureLink
        count={count}
        what={outcome}
        bookId={bookId}
        of={`reservations of ${title}, ${HAPPENING_LABELS[outcome].toLowerCase()}`}
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
            <Link to={`/admin/holds/${bookId}`} aria-label={`The queue for ${title}`}>
              Queue
            </Link>
          </>
        )}
      </span>
    </>
  );
}

/** Why so many are suggested, or none. */
function reasonOf({ kind, copiesToBuy, lastInDays, waiting, paused }: WantedTitle, within: number): string {
  if (kind === 'reading-room') return 'For the reading room only: nobody can reserve it any more.';
  if (waiting === paused) return 'Everyone in the queue has paused.';
  if (copiesToBuy === 0) return `Nobody waits longer than ${daysOf(within)}.`;
  const more = counted(copiesToBuy, 'more copy brings', 'more copies bring');
  const now = lastInDays === null ? 'which nobody can tell now' : `${daysOf(lastInDays)} now`;
  return `${more} the last one’s wait, ${now}, to ${daysOf(within)} at most.`;
}

function Sum({ wanted }: { wanted: WantedInsight }) {
  const { waiting, totalCount, copiesToBuy } = wanted;
  return (
    <>
      {waiting === 0 ? (
        'Nobody waits'
      ) : (
        <>
          <FigureLink count={waiting} what="Waiting" of="reservations that wait" />{' '}
          {waiting === 1 ? 'reservation waits' : 'reservations wait'} for{' '}
          {counted(totalCount, 'title', 'titles')}
          {copiesToBuy > 0 && `; ${counted(copiesToBuy, 'copy', 'copies')} more would do`}
          {totalCount > TITLES_SHOWN && `; ${TITLES_SHOWN} titles are here, the file has them all`}
        </>
      )}
      <span className="block text-ink-soft font-regular text-1">
        Of all titles in these days:{' '}
        {HOLD_OUTCOMES.map((outcome, index) => (
          <span key={outcome}>
            {index > 0 && ' · '}
            <FigureLink
              count={wanted[outcome]}
              what={outcome}
              of={`reservations, ${HAPPENING_LABELS[outcome].toLowerCase()}`}
            />{' '}
            {HAPPENING_LABELS[outcome].toLowerCase()}
          </span>
        ))}
      </span>
    </>
  );
}

const daysOf = (days: number) => counted(days, 'day', 'days');
