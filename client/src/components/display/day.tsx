import { isoDay, relativeTime } from '../../lib/dates.js';

/** A date as yyyy-MM-dd; the pointer finds how long ago or ahead it is. A dash where it has not happened. */
export function Day({ time }: { time: string | null }) {
  if (time === null) return <span aria-label="none">–</span>;
  return (
    <time
      dateTime={time}
      onPointerEnter={(event) => (event.currentTarget.title = relativeTime(time, Date.now()))}
    >
      {isoDay(time)}
    </time>
  );
}
