import type { Part, PartFacts, Reason } from '#contracts/dashboard/system-status.js';
import { PART_NAMES, partText } from '#contracts/dashboard/system-status-texts.js';
import * as m from '#words/messages.js';
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
    subject: m.letter_part_failed_subject({ library, part: name }),
    heading: m.letter_part_failed_heading({ part: name }),
    paragraphs: [
      words?.what ?? m.letter_part_failed({ part: name }),
      ...(words?.todo ? [m.letter_part_what_to_do({ todo: words.todo })] : []),
    ],
    facts: [
      [m.letter_fact_part(), name],
      [m.letter_fact_down_since(), moment(since, to.timeZone)],
    ],
    button: { label: m.letter_part_button(), url: to.link },
    notes: [m.letter_part_failed_how_often()],
  });
}

/** Tells an admin that a part is well again, and how long it was not. */
export function partRecoveredLetter(to: ToAdmin & { until: Date }): RenderedLetter {
  const { part, since, until, library } = to;
  const name = PART_NAMES[part]();
  return renderLetter(to, {
    subject: m.letter_part_recovered_subject({ library, part: name }),
    heading: m.letter_part_recovered_heading({ part: name }),
    paragraphs: [m.letter_part_recovered()],
    facts: [
      [m.letter_fact_part(), name],
      [m.letter_fact_down_since(), moment(since, to.timeZone)],
      [m.letter_fact_working_since(), moment(until, to.timeZone)],
    ],
    button: { label: m.letter_part_button(), url: to.link },
    notes: [m.letter_part_recovered_for_a_while()],
  });
}
