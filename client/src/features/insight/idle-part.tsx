import { Link } from 'react-router-dom';
import { TITLES_SHOWN, type IdleInsight, type InsightQuery } from '#contracts/insight/insight.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { isoDay } from '../../lib/dates.js';
import { useAddressOf } from './insight-address.js';
import { useIdle } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PartFrame } from './part-frame.js';
import { counted, inGroups } from '../../lib/counted.js';

/** The books that nobody borrowed, those lent longest ago first. */
export function IdlePart({ span }: { span: InsightQuery }) {
  const idle = useIdle(span);
  return (
    <PartFrame of="idle" span={span} answer={idle} sum={sumOf} isEmpty={({ totalCount }) => totalCount === 0}>
      {(answer) => (
        <ListTable
          columns={COLUMNS}
          items={answer?.items}
          keyOf={({ bookId }) => bookId}
          className={styles.figures}
          waiting={12}
        />
      )}
    </PartFrame>
  );
}

type IdleTitle = IdleInsight['items'][number];

const COLUMNS: readonly ListColumn<IdleTitle>[] = [
  {
    title: 'Title',
    label: null,
    className: styles.name,
    cell: ({ bookId, title }) => <Link to={`/book/${bookId}`}>{title}</Link>,
  },
  { title: 'Copies', look: 'number', cell: ({ copies }) => inGroups(copies) },
  { title: 'In the catalogue since', look: 'number', cell: ({ addedAt }) => isoDay(addedAt) },
  { title: 'Last lent', look: 'number', cell: (idle) => <LastLent {...idle} /> },
];

function LastLent({ bookId, title, lastLoan }: IdleTitle) {
  const addressOf = useAddressOf();
  if (lastLoan === null) return 'never';
  const last = isoDay(lastLoan);
  return (
    <Link
      to={addressOf({ what: 'Issued', bookId, from: last, to: last })}
      aria-label={`${title} was lent last on ${last}: show the events`}
    >
      {last}
    </Link>
  );
}

function sumOf({ totalCount, copies }: IdleInsight): string {
  if (totalCount === 0) return 'No titles';
  const all = `${counted(totalCount, 'title', 'titles')} with ${counted(copies, 'copy', 'copies')}`;
  return totalCount > TITLES_SHOWN
    ? `${all}; those lent longest ago are here, ${TITLES_SHOWN} of them, the file has all`
    : all;
}
