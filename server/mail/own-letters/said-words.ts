import type { Language } from '#contracts/languages.js';
import type { LetterMessage, LetterRole, OwnText, OwnWords } from '#contracts/library/own-words.js';
import { inContext, type Said } from '#platform/deadline.js';
import { inLanguage } from '#platform/language.js';
import { numbersOf, ownMessage, PLACEHOLDER, shownValue } from '#platform/own-words.js';
import * as m from '#words/messages.js';
import type { Letter } from '../letter.js';
import {
  isPaper,
  LETTERS,
  PAPERS,
  type LetterName,
  type MadeUpAddressee,
  type PaperName,
} from './letters.js';

/** A message of a letter: where it stands, and what was put into it. */
interface Placed extends Omit<Said, 'text'> {
  role: LetterRole;
  /** It may have several lines, in Markdown. */
  isLong: boolean;
}

/** What a letter says in one of its cases. */
export interface Case {
  subject: string;
  messages: Placed[];
}

const NOTHING = { forms: {} as OwnText, placeholders: new Map<string, string>() };
const MOST_IN_A_LINE = 200;
const MOST_IN_A_TEXT = 2_000;

/** Does what says something, in a language and with these own words. @returns what it said, besides */
export function hearing<Result>(
  language: Language,
  words: Readonly<Record<string, OwnText>>,
  work: () => Result,
): { result: Result; said: Said[] } {
  const said: Said[] = [];
  const tried: OwnWords = { [language]: words };
  const result = inLanguage(language, () =>
    inContext({ tried, onSaid: (each) => void said.push(each) }, work),
  );
  return { result, said };
}

const madeUpFor = (library: string): MadeUpAddressee => ({
  ...{ firstname: 'Zofia', username: 'zofia', library, site: 'http://localhost', timeZone: 'UTC' },
  ...{ reminderDays: 2, overdueDays: 7 },
});

function roleOf(text: string, letter: Letter): LetterRole {
  if (text === letter.subject) return 'subject';
  const sections = letter.sections ?? [];
  if ([letter.heading, ...sections.map(({ heading }) => heading)].includes(text)) return 'heading';
  const texts = [letter.paragraphs, letter.notes, ...sections.map(({ paragraphs }) => paragraphs ?? [])];
  // Some are made of two messages.
  if (text === '' || texts.flat().some((each) => each.includes(text) && text.includes(' '))) return 'text';
  return text === letter.button.label ? 'button' : 'label';
}

/** All that a letter or a paper says, by its cases: letters of one subject are one case. */
export function casesOf(name: LetterName | PaperName, language: Language, library: string): Case[] {
  if (isPaper(name)) {
    const { head, foot, name: subject, isLong } = PAPERS[name];
    const roles = { head, foot };
    const messages = (['head', 'foot'] as const).flatMap((role) =>
      hearing(language, {}, roles[role]).said.map(({ key, inputs }) => ({ key, inputs, role, isLong })),
    );
    return [{ subject: inLanguage(language, subject), messages }];
  }
  const cases = new Map<string, Case>();
  for (const write of LETTERS[name].madeUp) {
    const { result, said } = hearing(language, {}, () => write(madeUpFor(library)));
    const read = ({ text }: Said) => (text === '' ? Infinity : result.text.indexOf(text));
    const placed = said
      .toSorted((one, other) => (read(one) === read(other) ? 0 : read(one) - read(other)))
      .map(({ key, inputs, text }) => {
        const role = roleOf(text, result.letter);
        return { key, inputs, role, isLong: role === 'text' };
      });
    const titled = placed.find(({ role }) => role === 'subject')?.key ?? '';
    const known = cases.get(titled) ?? { subject: result.subject, messages: [] };
    for (const each of placed)
      if (!known.messages.some(({ key }) => key === each.key)) known.messages.push(each);
    cases.set(titled, known);
  }
  return [...cases.values()];
}

const ORDER: LetterRole[] = ['head', 'foot', 'subject', 'heading', 'text', 'button', 'label'];

/** The messages of a case as they are edited, in the order in which they are read. */
export function editedMessages(
  { messages }: Case,
  language: Language,
  alsoIn: (key: string) => string[],
): LetterMessage[] {
  const edited = messages.map(({ key, role, isLong, inputs }): LetterMessage => {
    const parts = ownMessage(key, language);
    return {
      ...{ key, role, isLong, alsoIn: alsoIn(key) },
      forms: Object.entries(parts.forms).map(([form, usual]) => ({
        ...{ form, usual, numbers: form === '' ? {} : numbersOf(form, parts, language) },
      })),
      placeholders: [...parts.placeholders].map(([name, input]) => ({
        name,
        example: shownValue(inputs[input], language),
      })),
    };
  });
  return edited.toSorted((one, other) => ORDER.indexOf(one.role) - ORDER.indexOf(other.role));
}

/** What is wrong with own words, by the names of their fields: none where they can be said. */
export function faultsIn(
  words: Readonly<Record<string, OwnText>>,
  cases: readonly Case[],
  language: Language,
): Record<string, string[]> {
  const known = new Map(cases.flatMap(({ messages }) => messages.map(({ key, isLong }) => [key, isLong])));
  const faults: Record<string, string[]> = {};
  for (const [key, texts] of Object.entries(words)) {
    const isLong = known.get(key);
    const { forms, placeholders } = isLong === undefined ? NOTHING : ownMessage(key, language);
    if (
      isLong === undefined ||
      Object.keys(texts).toSorted().join() !== Object.keys(forms).toSorted().join()
    ) {
      faults[`words.${key}`] = [m.own_words_no_such_message()];
      continue;
    }
    for (const [form, text] of Object.entries(texts)) {
      const most = isLong ? MOST_IN_A_TEXT : MOST_IN_A_LINE;
      const unknown = [...text.matchAll(PLACEHOLDER)].filter(([, name = '']) => !placeholders.has(name));
      const told = [
        ...unknown.map(([name]) => m.own_words_no_placeholder({ name })),
        ...(text.length > most ? [m.own_words_too_long({ most })] : []),
        ...(!isLong && text.trim() === '' && forms[form] !== '' ? [m.own_words_empty()] : []),
        ...(!isLong && /[\r\n]/.test(text) ? [m.own_words_one_line()] : []),
      ];
      if (told.length > 0) faults[`words.${key}.${form}`] = told;
    }
  }
  return faults;
}

/** Without what is as the product has it. */
export function ofItsOwn(words: Readonly<Record<string, OwnText>>, language: Language) {
  return Object.fromEntries(
    Object.entries(words).filter(([key, texts]) => {
      const { forms } = ownMessage(key, language);
      return Object.entries(texts).some(([form, text]) => text !== forms[form]);
    }),
  );
}
