import type { Visit } from '#contracts/accounts/reader-card.js';
import { localDay } from '#contracts/local-day.js';
import { renderLetter, salutation, type RenderedLetter } from './letter.js';

/** What was lent to a reader on a day, and what they brought back: as the slip that the desk prints. */
export function slipLetter(to: {
  firstname: string;
  visit: Visit;
  /** The library's. */
  timeZone: string;
  link: string;
  library: string;
}): RenderedLetter {
  const { day, issued, returned } = to.visit;
  const lent = issued.flatMap(({ titles, dueDate }) =>
    titles.map((title) =>
      dueDate === null ? `${title}: lent` : `${title}: lent until ${localDay(dueDate, to.timeZone)}`,
    ),
  );
  const back = returned.flatMap(({ titles }) => titles.map((title) => `${title}: brought back`));
  return renderLetter({
    subject: `Your visit of ${day}`,
    heading: `Your visit of ${day}`,
    paragraphs: [
      salutation(to.firstname),
      `This is what you borrowed and brought back at ${to.library} on ${day}.`,
    ],
    list: [...lent, ...back],
    button: { label: 'See my borrows', url: to.link },
    notes: ['Thank you, and until next time.'],
    sender: to.library,
  });
}
