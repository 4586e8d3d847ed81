import { z } from 'zod';
import { call } from '../call.js';
import { LANGUAGES } from '../languages.js';
import { isTimeZone } from '../local-day.js';
import { CURRENCIES } from '../currency.js';
import { pagedSchema, pageQuery } from '../paging.js';
import { oneLine, plainText } from '../plain-text.js';
import * as m from '#words/messages.js';
import { ACCENT } from './accent.js';
import { letterChoicesSchema, USUAL_LETTERS } from './own-words.js';

/** The pages of its own that a library may have, each a text in Markdown. */
export const LIBRARY_PAGES = ['imprint', 'privacy'] as const;
export type LibraryPage = (typeof LIBRARY_PAGES)[number];

const tooLong = (most: number) => ({ error: () => m.library_too_long({ most }) });
const short = (most: number) => oneLine(z.string().trim().max(most, tooLong(most)));
const long = (most: number) => plainText(z.string().trim().max(most, tooLong(most)));

/** What a library says of itself. An empty text stands for what the product has for it, or for nothing. */
const facts = {
  name: short(60),
  /** Where there is little room. */
  shortName: short(20),
  address: long(300),
  email: z.union([z.literal(''), z.email({ error: () => m.library_no_email() }).max(254)]),
  phone: short(40),
  /** Of letters to who chose none; empty for English. */
  language: z.union([z.literal(''), z.enum(LANGUAGES)]),
  /** Of the IANA database; empty to leave it as it is. The one that holds is kept beside (`platform/library-time-zone.ts`). */
  timeZone: z
    .string()
    .refine((name) => name === '' || isTimeZone(name), { error: () => m.library_no_time_zone() }),
  /** Empty for the usual one. */
  currency: z.union([z.literal(''), z.enum(CURRENCIES)]),
  /** `#rrggbb`; empty for the product's green. */
  accent: z
    .string()
    .toLowerCase()
    .regex(ACCENT, { error: () => m.library_no_colour() }),
  /** A rule on each line. */
  houseRules: long(3_000),
  imprint: long(10_000),
  privacy: long(20_000),
};
const libraryFactsSchema = z.object(facts);
export type LibraryFacts = z.infer<typeof libraryFactsSchema>;

const logo = z.string().nullable();
/** What is kept: the facts, the logo by its digest, and what was chosen for letters and papers. */
export const keptFactsSchema = z.object({ ...facts, logo, letters: letterChoicesSchema });
export type KeptFacts = z.infer<typeof keptFactsSchema>;

/** Of a library that has said nothing yet. */
export const NO_FACTS: KeptFacts = {
  ...(Object.fromEntries(Object.keys(facts).map((name) => [name, ''])) as LibraryFacts),
  logo: null,
  letters: USUAL_LETTERS,
};

/** `version` is the one that was edited; where there is another since, the change is refused. 0: nothing was ever set. */
const version = z.int().min(0);

const libraryViewSchema = z.object({
  ...{ ...facts, logo },
  version,
  /** What the environment sets, which wins over what is set here, and what cannot be changed any more. */
  fixed: z.object({
    name: z.string().nullable(),
    contact: z.string().nullable(),
    timeZone: z.boolean(),
    /** Something was charged in it. */
    currency: z.boolean(),
  }),
});
export type LibraryView = z.infer<typeof libraryViewSchema>;

/** Changes shown at once. */
export const CHANGES_SHOWN = 20;

const libraryChangeSchema = z.object({
  version: z.int(),
  at: z.iso.datetime(),
  /** A name; null where the account is gone. */
  by: z.string().nullable(),
  /** What was changed, with what it was and became; long texts are cut, of a logo it is said whether there was one. */
  changes: z.array(z.object({ fact: keptFactsSchema.keyof(), from: z.string(), to: z.string() })).max(200),
});
export type LibraryChange = z.infer<typeof libraryChangeSchema>;

const staff = { may: ['library'] } as const;

export const readLibrary = call('GET Library', { ...staff, answer: libraryViewSchema });

export const changeLibrary = call('PUT Library', {
  ...staff,
  body: libraryFactsSchema.extend({ version }),
  answer: libraryViewSchema,
});

/** The form field of the logo's file. */
export const LOGO_FIELD = 'logo';

/** A picture of points, which is drawn anew: nothing of the file itself is kept. */
export const changeLogo = call('PUT Library/logo', {
  ...staff,
  body: z.object({}),
  upload: LOGO_FIELD,
  answer: libraryViewSchema,
  takesLong: true,
});

export const removeLogo = call('DELETE Library/logo', { ...staff, answer: libraryViewSchema });

/** By its digest, so that browsers may keep it for ever. */
export const fetchLogo = call('GET Library/logo/:digest', {
  may: ['Everybody'],
  params: z.object({ digest: z.string().regex(/^[0-9a-f]{32}$/) }),
  answer: 'image/webp',
});

export const listLibraryChanges = call('GET Library/changes', {
  ...staff,
  query: z.object(pageQuery(CHANGES_SHOWN)),
  answer: pagedSchema(libraryChangeSchema),
});

/** A page of the library's own, as HTML of which nothing but the text is the library's. */
export const readLibraryPage = call('GET Library/pages/:page', {
  may: ['Everybody'],
  params: z.object({ page: z.enum(LIBRARY_PAGES) }),
  answer: z.object({ html: z.string() }),
});
