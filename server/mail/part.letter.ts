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
  const name = PART_NAMES[part]();
  const words = partText(part, to.reason, to.facts);
  return renderLetter(to, {
    subject: `${library}: ${name} needs attention`,
    heading: `${name} needs attention`,
    paragraphs: [
      words?.what ?? `${name} has not been working for some minutes.`,
      ...(words?.todo ? [`What to do: ${words.todo}`] : []),
    ],
    facts: [
      ['Part', name],
      ['Down since', moment(since, to.timeZone)],
    ],
    button: { label: 'Open the system status', url: to.link },
    notes: ['You get one email when a part has been down for ten minutes, and one when it works again.'],
  });
}

/** Tells an admin that a part is well again, and how long it was not. */
export function partRecoveredLetter(to: ToAdmin & { until: Date }): RenderedLetter {
  const { part, since, until, library } = to;
  const name = PART_NAMES[part]();
  return renderLetter(to, {
    subject: `${library}: ${name} is working again`,
    heading: `${name} is working again`,
    paragraphs: ['It works again. There is nothing you need to do.'],
    facts: [
      ['Part', name],
      ['Down since', moment(since, to.timeZone)],
      ['Working since', moment(until, to.timeZone)],
    ],
    button: { label: 'Open the system status', url: to.link },
    notes: ['It had been working for some minutes when this email was sent.'],
  });
}
