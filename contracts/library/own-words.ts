import { z } from 'zod';
import { call } from '../call.js';
import { LANGUAGES } from '../languages.js';
import { plainText } from '../plain-text.js';

/** A message by its forms: `''` where it has one alone, else what `Intl` says of its numbers, as `form=one`. */
const MOST_FORMS = 40;
const ownTextSchema = z
  .record(z.string().max(100), plainText(z.string().max(2_000)))
  .meta({ maxProperties: MOST_FORMS });
export type OwnText = Readonly<z.infer<typeof ownTextSchema>>;

const language = z.enum(LANGUAGES);
/** What a library says in its own words, by language and message. */
const ownWordsSchema = z.partialRecord(language, z.record(z.string(), ownTextSchema));
export type OwnWords = z.infer<typeof ownWordsSchema>;

const MOST_LETTERS = 100;
const days = z.int().min(1).max(365);
const sending = {
  /** The letters that are not sent, by their names. */
  off: z.array(z.string().max(40)).max(MOST_LETTERS),
  /** Days late from which readers are told of a fee, and the days until they are told again. */
  overdue: z.object({ after: days, every: days }),
};

/** What a library has chosen for its letters, and for what stands at the head and the foot of its papers. */
export const letterChoicesSchema = z.object({ words: ownWordsSchema, ...sending });
export type LetterChoices = z.infer<typeof letterChoicesSchema>;

export const USUAL_LETTERS: LetterChoices = { words: {}, off: [], overdue: { after: 1, every: 7 } };

/** Of all that the library says of itself: see `libraryViewSchema`. */
const version = z.int().min(0);

const letterSummarySchema = z.object({
  letter: z.string(),
  name: z.string(),
  /** What the product writes above it. */
  subject: z.string(),
  /** Whether it may be left unsent. */
  isOptional: z.boolean(),
  isSent: z.boolean(),
  /** The languages in which it has words of the library's own. */
  own: z.array(language).max(LANGUAGES.length),
});

const lettersViewSchema = z.object({
  version,
  letters: z.array(letterSummarySchema).max(MOST_LETTERS),
  /** A letter or a paper alike has them. */
  papers: z.array(letterSummarySchema).max(MOST_LETTERS),
  overdue: sending.overdue,
  /** Days before a book is due on which its reader is reminded: by the rules. */
  reminderDays: z.int(),
});
export type LettersView = z.infer<typeof lettersViewSchema>;
export type LetterSummary = z.infer<typeof letterSummarySchema>;

/** Where a message stands in its letter; a paper has a head and a foot. */
const roleSchema = z.enum(['subject', 'heading', 'text', 'button', 'label', 'head', 'foot']);
export type LetterRole = z.infer<typeof roleSchema>;

const MOST_MESSAGES = 60;
/** The messages that are in the library's own words, by their keys. */
const words = z.record(z.string().max(100), ownTextSchema).meta({ maxProperties: MOST_MESSAGES });
const letterMessageSchema = z.object({
  key: z.string(),
  role: roleSchema,
  /** It may have several lines, in Markdown. */
  isLong: z.boolean(),
  forms: z
    .array(
      z.object({
        form: z.string(),
        /** The numbers that it is for, by what is counted: the first of them. */
        numbers: z.record(z.string(), z.array(z.int()).max(10)).meta({ maxProperties: 5 }),
        /** What the product says. */
        usual: z.string(),
      }),
    )
    .max(MOST_FORMS),
  /** What may stand in it in braces, with what that is in the letter shown. */
  placeholders: z.array(z.object({ name: z.string(), example: z.string() })).max(20),
  /** The names of other letters that say it too. */
  alsoIn: z.array(z.string()).max(MOST_LETTERS),
});
export type LetterMessage = z.infer<typeof letterMessageSchema>;

const letterViewSchema = z.object({
  version,
  letter: z.string(),
  name: z.string(),
  isPaper: z.boolean(),
  /** A letter says different things in different cases, by their subjects. */
  cases: z
    .array(z.object({ subject: z.string(), messages: z.array(letterMessageSchema).max(MOST_MESSAGES) }))
    .max(20),
  /** What is in the library's own words. */
  words,
});
export type LetterView = z.infer<typeof letterViewSchema>;

const staff = { may: ['library'] } as const;
const letter = { params: z.object({ letter: z.string().max(40) }) };

export const readLetters = call('GET Library/letters', { ...staff, answer: lettersViewSchema });

export const changeSending = call('PUT Library/letters', {
  ...staff,
  body: z.object({ ...sending, version }),
  answer: lettersViewSchema,
});

export const readLetter = call('GET Library/letters/:letter', {
  ...{ ...staff, ...letter },
  query: z.object({ language }),
  answer: letterViewSchema,
});

/** `words` are all that the letter then has; for its other messages the product's stand. */
export const changeLetter = call('PUT Library/letters/:letter', {
  ...{ ...staff, ...letter },
  body: z.object({ language, words, version }),
  answer: letterViewSchema,
});

const draft = z.object({ language, words, case: z.int().min(0).max(20) });

export const previewLetter = call('POST Library/letters/:letter/preview', {
  ...{ ...staff, ...letter },
  body: draft,
  answer: z.object({
    subject: z.string(),
    /** Of the letter's text alone. */
    html: z.string(),
    /** Whether it is about something that has been; else it is made up. */
    isReal: z.boolean(),
  }),
});

/** Sends the letter, as it would be with these words, to whoever asks for it. */
export const tryLetter = call('POST Library/letters/:letter/test', {
  ...{ ...staff, ...letter },
  body: draft,
  answer: z.object({ sent: z.literal(true) }),
});
