import { NonBreakingDates } from '../../components/display/day.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { useOpeningHours, daysAhead, hoursOf, namedDay, openingNow } from '../opening-hours.js';

/** When what waits at the desk can be collected: how it is now, and on the last day for what has to be collected first. */
export function CollectingHours({ collectBy }: { collectBy: string }) {
  const { data } = useOpeningHours();
  const now = useNow(data !== undefined);
  const days = data ? daysAhead(data, now) : [];
  if (days.length === 0) return null;
  const last = days.slice(1).find(({ day }) => day === isoDay(collectBy));
  const onLast = last?.hours ? `; ${hoursOf(last)} on ${namedDay(last.day)}, the last day to collect` : '';
  return (
    <p className="note mt-2">
      <NonBreakingDates text={`${openingNow(days, now)}${onLast}.`} />
    </p>
  );
}
