import { GENRES_SHOWN, NO_GENRE, type GenresInsight, type InsightQuery } from '#contracts/insight/insight.js';
import { Table } from '../../components/table.js';
import { FigureLink } from './figure-link.js';
import { useGenres } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PartFrame } from './part-frame.js';
import { ShareBar } from './share-bar.js';
import { counted, inGroups } from '../../lib/counted.js';
import { perCopy } from './words.js';

const COLUMNS = [
  { title: 'Genre' },
  { title: 'Titles', className: styles.number },
  { title: 'Copies', className: styles.number },
  { title: 'Loans', className: styles.number },
  { title: 'For one copy', className: styles.number, about: 'Loans divided by the copies there are today' },
];

/** The genres there are, the most lent first. */
export function GenresPart({ span }: { span: InsightQuery }) {
  const genres = useGenres(span);
  return (
    <PartFrame of="genres" span={span} answer={genres} sum={sumOf} isEmpty={({ loans }) => loans === 0}>
      {(answer) => (
        <Table look="reading" columns={COLUMNS} waiting={12} className={styles.figures}>
          {answer?.items
            .filter(({ titles, loans }) => titles > 0 || loans > 0)
            .map(({ genreId, name, titles, copies, loans }) => (
              <tr role="row" key={genreId}>
                <td role="cell" className={styles.name}>
                  {genreId === NO_GENRE ? <i>No genre, or no longer in the catalogue</i> : name}
                  <ShareBar value={loans} most={answer.items[0]?.loans ?? 1} />
                </td>
                <td role="cell" className={styles.number} data-label="Titles">
                  {inGroups(titles)}
                </td>
                <td role="cell" className={styles.number} data-label="Copies">
                  {inGroups(copies)}
                </td>
                <td role="cell" className={styles.number} data-label="Loans">
                  <FigureLink
                    count={loans}
                    what="Issued"
                    genreId={genreId}
                    of={genreId === NO_GENRE ? 'loans without a genre' : `loans of ${name}`}
                  />
                </td>
                <td role="cell" className={styles.number} data-label="For one copy">
                  {perCopy(loans, copies)}
                </td>
              </tr>
            ))}
        </Table>
      )}
    </PartFrame>
  );
}

function sumOf({ loans, totalCount }: GenresInsight): string {
  if (loans === 0) return 'No loans';
  const all = counted(loans, 'loan', 'loans');
  return totalCount > GENRES_SHOWN
    ? `${all}; the ${GENRES_SHOWN} genres lent most are here, the file has all`
    : all;
}
