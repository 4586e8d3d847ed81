import * as m from '#words/messages.js';
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
  const said = openingNow(days, now);
  return (
    <p className="note mt-2">
      <NonBreakingDates
        text={
          last?.hours
            ? m.borrow_opening_last_day({ now: said, hours: hoursOf(last), day: namedDay(last.day) })
            : `${said}.`
        }
      />
    </p>
  );
}
