import { Link } from 'react-router-dom';
import {
  HOLD_OUTCOMES,
  TITLES_SHOWN,
  type InsightQuery,
  type WantedInsight,
  type WantedTitle,
} from '#contracts/insight/insight.js';
import { Choice } from '../../components/choice.js';
import { Day } from '../../components/day.js';
import { Table } from '../../components/table.js';
import { FigureLink } from './figure-link.js';
import { useInsightAddress, useIsInAdminArea } from './insight-address.js';
import { useWanted } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PartFrame } from './part-frame.js';
import { counted, inGroups } from '../../lib/counted.js';
import { HAPPENING_WORDS } from './words.js';

const WAITS = [7, 14, 21, 28];

const COLUMNS = [
  { title: 'Title' },
  { title: 'Copies', className: styles.number, about: 'That can be lent: not lost, damaged or withdrawn' },
  { title: 'Wait', className: styles.number, about: 'Readers who wait now' },
  { title: 'First since', className: styles.number, about: 'When the first in the queue reserved it' },
  { title: 'Last in', className: styles.number, about: 'About when the last in the queue has a copy' },
  { title: 'To buy', className: styles.number },
  ...HOLD_OUTCOMES.map((outcome) => ({
    title: HAPPENING_WORDS[outcome],
    className: styles.number,
    about: 'Reservations in these days',
  })),
];

/** What is waited for, and how many copies more would be enough. */
export function WantedPart({ span }: { span: InsightQuery }) {
  const [{ within }, change] = useInsightAddress();
  const query = { ...span, within };
  const wanted = useWanted(query);
  const choices = WAITS.includes(within) ? WAITS : [...WAITS, within].sort((one, other) => one - other);
  return (
    <>
      <div className={styles.within}>
        <Choice
          label="Nobody is to wait longer than"
          value={String(within)}
          options={choices.map((days) => ({ value: String(days), label: daysOf(days) }))}
          onChoose={(days) => change({ within: Number(days) })}
        />
      </div>
      <PartFrame
        of="wanted"
        span={query}
        answer={wanted}
        sum={(answer) => <Sum wanted={answer} />}
        isEmpty={({ totalCount }) => totalCount === 0}
      >
        {(answer) => (
          <Table look="reading" columns={COLUMNS} waiting={12} className={styles.figures}>
            {answer?.items.map((title) => (
              <Row key={title.bookId} title={title} within={within} />
            ))}
          </Table>
        )}
      </PartFrame>
    </>
  );
}

function Row({ title: row, within }: { title: WantedTitle; within: number }) {
  const isInAdminArea = useIsInAdminArea();
  const { bookId, title, copies, waiting, paused, lastInDays, copiesToBuy } = row;
  return (
    <tr role="row" data-wanted={bookId}>
      <td role="cell" className={styles.name}>
        <Link to={`/book/${bookId}`}>{title}</Link>
        <span className={styles.why}>
          {reasonOf(row, within)}
          {isInAdminArea && (
            <>
              {' '}
              <Link to={`/admin/holds/${bookId}`} aria-label={`The queue for ${title}`}>
                Queue
              </Link>
            </>
          )}
        </span>
      </td>
      <td role="cell" className={styles.number} data-label="Copies">
        {inGroups(copies)}
      </td>
      <td role="cell" className={styles.number} data-label="Wait">
        <FigureLink count={waiting} what="Waiting" bookId={bookId} of={`readers who wait for ${title}`} />
        {paused > 0 && (
          <span className="note">
            {' '}
            {paused === waiting ? 'all pause' : `${paused} ${paused === 1 ? 'pauses' : 'pause'}`}
          </span>
        )}
      </td>
      <td role="cell" className={styles.number} data-label="First since">
        <Day time={row.firstSince} />
      </td>
      <td role="cell" className={styles.number} data-label="Last in">
        {lastInDays === null ? <span title="Nobody can say">–</span> : daysOf(lastInDays)}
      </td>
      <td role="cell" className={styles.number} data-label="To buy">
        {copiesToBuy === 0 ? '–' : <strong>{inGroups(copiesToBuy)}</strong>}
      </td>
      {HOLD_OUTCOMES.map((outcome) => (
        <td role="cell" key={outcome} className={styles.number} data-label={HAPPENING_WORDS[outcome]}>
          <FigureLink
            count={row[outcome]}
            what={outcome}
            bookId={bookId}
            of={`reservations of ${title}, ${HAPPENING_WORDS[outcome].toLowerCase()}`}
          />
        </td>
      ))}
    </tr>
  );
}

/** Why so many are suggested, or none. */
function reasonOf({ kind, copiesToBuy, lastInDays, waiting, paused }: WantedTitle, within: number): string {
  if (kind === 'reading-room') return 'For the reading room only: nobody can reserve it any more.';
  if (waiting === paused) return 'Whoever reserved it pauses.';
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
          {copiesToBuy > 0 && `; ${counted(copiesToBuy, 'copy', 'copies')} more would be enough`}
          {totalCount > TITLES_SHOWN && `; ${TITLES_SHOWN} titles are here, the file has all`}
        </>
      )}
      <span className={styles.why}>
        Of all titles in these days:{' '}
        {HOLD_OUTCOMES.map((outcome, index) => (
          <span key={outcome}>
            {index > 0 && ' · '}
            <FigureLink
              count={wanted[outcome]}
              what={outcome}
              of={`reservations, ${HAPPENING_WORDS[outcome].toLowerCase()}`}
            />{' '}
            {HAPPENING_WORDS[outcome].toLowerCase()}
          </span>
        ))}
      </span>
    </>
  );
}

const daysOf = (days: number) => counted(days, 'day', 'days');
