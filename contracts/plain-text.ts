import * as m from '#words/messages.js';
import type { z } from 'zod';

/**
 * Characters that nobody types and that make a text look like another one or break a line where none may be: controls,
 * the separators of lines and paragraphs, what turns the direction of writing around, and halves of characters.
 * Marks of direction (U+200E, U+200F, U+061C) and joiners stay: names are written with them.
 */
const UNUSABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
/** What leaves no mark on paper or screen: blanks, joiners, fillers. */
const UNSEEN = /[\p{Z}\p{Cf}\p{Cc}\p{DI}\u2800]/gu;
/** What shows as nothing certain: characters that are not, or not yet, anything; the same mark twice, or a heap of them. */
const UNCERTAIN = /[\p{Cn}\p{Co}]|(\p{Mn})\1|\p{Mn}{5}/u;
const LINE_BREAKS = /\r\n|[\n\r\t]/g;

/** What is said of a field that has such a character. */
const UNUSABLE_CHARACTERS = { error: m.form_unusable_characters };

/** Whether a text of one line can be kept as it is. */
const isOneLine = (text: string): boolean => !UNUSABLE.test(text);
/** Whether a text of any number of lines can be kept as it is. */
export const isPlainText = (text: string): boolean => isOneLine(text.replace(LINE_BREAKS, ' '));

/** A text from elsewhere with blanks in place of what could not be kept; its line feeds stay. */
export const withoutInvalidCharacters = (text: string): string =>
  text.replace(new RegExp(UNUSABLE, 'gu'), (character) => (character === '\n' ? character : ' '));

const NOTHING_TO_SEE = { error: m.form_nothing_to_see };
const canBeSeen = (text: string): boolean => text === '' || text.replace(UNSEEN, '') !== '';

/** A text that people type, on one line: a name, a title, an address. */
export const oneLine = <Text extends z.ZodType<string>>(text: Text) =>
  text.refine(isOneLine, UNUSABLE_CHARACTERS).refine(canBeSeen, NOTHING_TO_SEE);

/** What is said of a text that is longer. @param most characters */
export const atMost = (most: number) => ({ error: () => m.common_at_most_characters({ most }) });

/** Letters of these look like each other's. Lookalikes of all others are known to `nameKey`. */
const ALPHABETS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Syriac}/u,
  /\p{Script=Nko}/u,
];
/** A name that tells accounts apart: nothing in it that cannot be seen but single blanks between words, and one alphabet. */
export const identifyingName = <Text extends z.ZodType<string>>(text: Text) =>
  text
    .refine(
      (name) => !name.replace(/(?<=\S) (?=\S)/g, '').match(UNSEEN) && !UNCERTAIN.test(name.normalize('NFD')),
      UNUSABLE_CHARACTERS,
    )
    .refine((name) => ALPHABETS.filter((alphabet) => alphabet.test(name)).length <= 1, {
      error: m.form_two_alphabets,
    });
/** A text that people type, on as many lines as they like: a description. */
export const plainText = <Text extends z.ZodType<string>>(text: Text) =>
  text.refine(isPlainText, UNUSABLE_CHARACTERS).refine(canBeSeen, NOTHING_TO_SEE);
