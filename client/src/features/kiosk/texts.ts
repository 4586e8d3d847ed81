import { BOOK_TEXTS, type BookRefusal } from '#contracts/self-service/refusal-texts.js';
import type { GivenBack, Renewed, Taken } from '#contracts/self-service/self-service.js';
import * as m from '#words/messages.js';
import { isoDay } from '../../lib/dates.js';

/** What became of a book, in the words of the screen. */
export interface Line {
  tone: 'done' | 'heed' | 'refused';
  title: string | null;
  headline: string;
  detail: string;
}

const line = (tone: Line['tone'], title: string | null, headline: string, detail = ''): Line => {
  return { tone, title, headline, detail };
};

const refusedLine = (title: string | null, why: BookRefusal, headline: string) =>
  line('refused', title, headline, BOOK_TEXTS[why]());

export function takenLine(taken: Taken): Line {
  if (taken.outcome === 'refused') return refusedLine(taken.title, taken.why, m.kiosk_not_lent());
  return line('done', taken.title, m.kiosk_lent({ day: isoDay(taken.dueDate) }));
}

export function givenBackLine(given: GivenBack): Line {
  if (given.outcome === 'refused') return refusedLine(given.title, given.why, m.kiosk_not_given_back());
  const headline = given.outcome === 'given-back' ? m.kiosk_given_back() : m.kiosk_nobody_has_it();
  if (given.isHeld) return line('heed', given.title, headline, m.kiosk_to_staff());
  const isCharged = given.outcome === 'given-back' && given.isCharged;
  return line(
    isCharged ? 'heed' : 'done',
    given.title,
    headline,
    isCharged ? m.kiosk_fee_owed() : m.kiosk_to_shelf(),
  );
}

export function renewedLine(renewed: Renewed): Line {
  const title = renewed.titles.join(', ') || null;
  if (renewed.outcome === 'refused') return refusedLine(title, renewed.why, m.kiosk_not_renewed());
  return line('done', title, m.kiosk_renewed({ day: isoDay(renewed.dueDate) }));
}
