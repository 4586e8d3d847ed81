import * as m from '#words/messages.js';
import { isoDay, relativeTime } from '../../lib/dates.js';
import { Fragment } from 'react';

/** A date as yyyy-MM-dd; the pointer finds how long ago or ahead it is. A dash where it has not happened. */
export function Day({ time }: { time: string | null }) {
  if (time === null)
    return (
      <span data-no-day aria-label={m.common_none()}>
        –
      </span>
    );
  return (
    <time
      className="unbroken"
      dateTime={time}
      onPointerEnter={(event) => (event.currentTarget.title = relativeTime(time, Date.now()))}
    >
      {isoDay(time)}
    </time>
  );
}

const DAY = /(\d{4}-\d\d-\d\d)/;

/** A sentence in which no day is broken at its hyphens. */
export function NonBreakingDates({ text }: { text: string }) {
  return text.split(DAY).map((part, at) =>
    at % 2 === 1 ? (
      <span key={at} className="unbroken">
        {part}
      </span>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}
