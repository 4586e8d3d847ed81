import { Fragment } from 'react';

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
