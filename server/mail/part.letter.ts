import type { Part, PartFacts, Reason } from '#contracts/dashboard/system-status.js';
import { PART_NAMES, partText } from '#contracts/dashboard/system-status-texts.js';
import { moment, renderLetter, type Addressee, type RenderedLetter } from './letter.js';

interface ToAdmin extends Addressee {
  part: Part;
  since: Date;
  /** The library's. */
  timeZone: string;
  /** The page with the state of the house. */
  link: string;
}

/** Tells an admin which part has not been well for ten minutes, since when, and what to do about it. */
export function partFailedLetter(to: ToAdmin & { reason: Reason | null; facts: PartFacts }): RenderedLetter {
  const { part, since, library } = to;
  const name = PART_NAMES[part];
  const words = partText(part, to.reason, to.facts);
  return renderLetter(to, {
    subject: `${library}: ${name} needs you`,
    heading: `${name} needs you`,
    paragraphs: [
      words?.what ?? `${name} has not been well for some minutes.`,
      ...(words?.todo ? [`What to do: ${words.todo}`] : []),
    ],
    facts: [
      ['Part', name],
      ['Not well since', moment(since, to.timeZone)],
    ],
    button: { label: 'Open the state of the house', url: to.link },
    notes: ['You get one letter when a part has been red for ten minutes, and one when it is well again.'],
  });
}

/** Tells an admin that a part is well again, and how long it was not. */
export function partRecoveredLetter(to: ToAdmin & { until: Date }): RenderedLetter {
  const { part, since, until, library } = to;
  const name = PART_NAMES[part];
  return renderLetter(to, {
    subject: `${library}: ${name} is well again`,
    heading: `${name} is well again`,
    paragraphs: ['It works again, and there is nothing that you have to do.'],
    facts: [
      ['Part', name],
      ['Not well since', moment(since, to.timeZone)],
      ['Well since', moment(until, to.timeZone)],
    ],
    button: { label: 'Open the state of the house', url: to.link },
    notes: ['It has been well for some minutes before this letter was sent.'],
  });
}
