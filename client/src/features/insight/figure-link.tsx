import { Link } from 'react-router-dom';
import type { Happening, HoldHappening } from '#contracts/insight/insight.js';
import { useAddressOf, type InsightAddress } from './insight-address.js';
import { inGroups } from '../../lib/counted.js';

interface FigureLinkProps extends Partial<Pick<InsightAddress, 'bookId' | 'genreId' | 'hour'>> {
  count: number;
  what: Happening | HoldHappening;
  /** What is counted, for who does not see its column: "loans of Lalka". */
  of: string;
}

/** A figure that opens the events it counts. */
export function FigureLink({ count, of, ...figure }: FigureLinkProps) {
  const addressOf = useAddressOf();
  if (count === 0) return <>0</>;
  return (
    <Link to={addressOf(figure)} aria-label={`${inGroups(count)} ${of}: show the events`} data-figure={count}>
      {inGroups(count)}
    </Link>
  );
}
