import * as m from '#words/messages.js';
import { z } from 'zod';
import { call, type Call } from '../call.js';
import type { Permission } from '../permissions.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema, type Paged } from '../paging.js';
import { oneLine, plainText } from '../plain-text.js';
import { lenient } from '../stored-fields.js';
import { MAX_VARIANTS } from './book-views.js';
import { mergeBodySchema, mergeSchema } from './merge.js';

/** The kinds of records that books share. */
export type AuthorityName = 'author' | 'genre' | 'publisher';

const bounded = (least: number, most: number, error: () => string) =>
  z.string({ error }).trim().min(least, { error }).max(most, { error });

/**
 * A text of an author, genre or publisher, on one line: trimmed, and refused with the specification's one message
 * whether it is missing, too short or too long.
 */
const requiredText = (least: number, most: number, message: () => string) =>
  oneLine(bounded(least, most, message));

/** The same with as many lines as it needs. */
const requiredLines = (least: number, most: number, message: () => string) =>
  plainText(bounded(least, most, message));

const LONGEST_VARIANT = 500;
/** Other names, one a line as a form says them, or an array. Left out, they stay as they are. */
export const variantsSchema = z
  .preprocess(
    (given) => (Array.isArray(given) ? given.join('\n') : given),
    plainText(z.string())
      .transform((text) => text.split('\n').flatMap((line) => line.trim() || []))
      .refine((names) => names.length <= MAX_VARIANTS, {
        error: () => m.authority_too_many_variants({ most: MAX_VARIANTS }),
      })
      .refine((names) => names.every((name) => name.length <= LONGEST_VARIANT), {
        error: () => m.authority_variant_too_long({ most: LONGEST_VARIANT }),
      }),
  )
  .optional();

/**
 * The version that was being edited. With it, a change that somebody else made meanwhile is not overwritten; without
 * it (the specification's own bodies have none) the last one to save wins.
 */
export const editedVersionSchema = z.coerce.number().int().min(1).optional();

/** The answer to a deletion: how many records were deleted. */
export const deletedSchema = z.object({ deleted: z.int().min(1) });

export const AUTHORITIES_PAGE_SIZE = 10;

const SearchTerm = z.string().max(200).default('');
const idSchema = z.object({ id: z.coerce.number().int().positive().max(2_147_483_647) });
const listQuerySchema = z.object({ SearchTerm, ...pageQuery(MAX_PAGE_SIZE) });
export type AuthorityListQuery = z.infer<typeof listQuerySchema>;

/** The calls of one kind of authority. What a book's page shows of them is public. */
export interface AuthorityCalls<Item, Body> {
  /**
   * Those with every word of `SearchTerm` in their names; the one whose name it is comes first, then the others by name. Without a
   * page it is the first one.
   */
  list: Public<{ query: typeof listQuerySchema; answer: z.ZodType<Item[]> }>;
  page: Public<{
    query: z.ZodType<z.infer<typeof listQuerySchema> & { SortBy: string }>;
    answer: z.ZodType<Paged<Item>>;
  }>;
  read: Public<{ params: typeof idSchema; answer: z.ZodType<Item> }>;
  add: OfStaff<{ body: z.ZodType<Body>; answer: z.ZodType<Item> }>;
  /** The same key is the same merge. */
  merge: OfStaff<{ body: typeof mergeBodySchema; answer: typeof mergeSchema; keyed: true }>;
  change: OfStaff<{
    params: typeof idSchema;
    body: z.ZodType<Body & { version?: number | undefined }>;
    answer: z.ZodType<Item>;
  }>;
}
type Public<Declaration> = Call<Declaration & { may: readonly ['Everybody']; answer: z.ZodType }>;
type OfStaff<Declaration> = Call<Declaration & { may: readonly Permission[]; answer: z.ZodType }>;

const everybody = { may: ['Everybody'] } as const;
const staff = { may: ['authorities'] } as const;

function authorityCalls<Item extends z.ZodObject, Body extends z.ZodObject>(
  path: 'Author' | 'Genre' | 'Publisher',
  item: Item,
  body: Body,
  SortBy: z.ZodType,
): AuthorityCalls<z.infer<Item>, z.infer<Body>> {
  const ofOne = { params: idSchema, answer: item };
  const calls = {
    list: call(`GET ${path}`, {
      ...everybody,
      query: listQuerySchema,
      answer: z.array(item).max(MAX_PAGE_SIZE),
    }),
    page: call(`GET ${path}/paginated`, {
      ...everybody,
      query: z.object({ SortBy, SearchTerm, ...pageQuery(AUTHORITIES_PAGE_SIZE) }),
      answer: pagedSchema(item),
    }),
    read: call(`GET ${path}/:id`, { ...everybody, ...ofOne }),
    add: call(`POST ${path}/add`, { ...staff, body, answer: item, status: 201 }),
    merge: call(`POST ${path}/merge`, {
      may: ['duplicates'],
      body: mergeBodySchema,
      answer: mergeSchema,
      keyed: true,
      takesLong: true,
    }),
    change: call(`PUT ${path}/:id`, {
      ...staff,
      ...ofOne,
      body: lenient(body).extend({ version: editedVersionSchema }),
    }),
  };
  return calls as unknown as AuthorityCalls<z.infer<Item>, z.infer<Body>>;
}

const sorted = <Values extends readonly [string, ...string[]]>(values: Values, usual: Values[number]) =>
  z.preprocess(emptyAsUndefined, z.enum(values).default(usual as never));

/** An author (specification, section 3). */
const authorSchema = z.object({
  id: z.int(),
  firstname: z.string(),
  lastname: z.string(),
  nationality: z.string(),
  biography: z.string(),
  otherNames: z.array(z.string()).max(MAX_VARIANTS),
  fullname: z.string(),
  version: z.int(),
});
export type Author = z.infer<typeof authorSchema>;

/** Lengths as the messages of section 5 state them. */
export const authorBodySchema = z.object({
  firstname: requiredText(2, 50, m.authority_firstname_required),
  lastname: requiredText(2, 50, m.authority_lastname_required),
  nationality: requiredText(2, 50, m.authority_nationality_required),
  biography: requiredLines(10, 1000, m.authority_biography_required),
  otherNames: variantsSchema,
});
export type AuthorBody = z.infer<typeof authorBodySchema>;

const AUTHOR_SORTS = ['Firstname', 'Lastname', 'Nationality'] as const;
export type AuthorSort = (typeof AUTHOR_SORTS)[number];

/** A genre (specification, section 3). */
const genreSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  version: z.int(),
});
export type Genre = z.infer<typeof genreSchema>;

export const genreBodySchema = z.object({
  name: requiredText(2, 50, m.authority_genre_name_required),
  description: requiredLines(10, 500, m.authority_description_required),
});
export type GenreBody = z.infer<typeof genreBodySchema>;

const GENRE_SORTS = ['NameA-Z', 'NameZ-A'] as const;
export type GenreSort = (typeof GENRE_SORTS)[number];

/** A publisher (specification, section 3; `adress` is spelt so). */
const publisherSchema = z.object({
  id: z.int(),
  name: z.string(),
  adress: z.string(),
  phone: z.string(),
  website: z.string(),
  version: z.int(),
});
export type Publisher = z.infer<typeof publisherSchema>;

export const publisherBodySchema = z.object({
  name: requiredText(2, 100, m.authority_publisher_name_required),
  adress: requiredText(5, 200, m.authority_address_required),
  /** Digits in groups, with or without a country code and an extension. */
  phone: requiredText(1, 40, m.authority_phone_invalid).regex(
    /^\+?\(?\d[\d\s().\-/]{4,}\d( ?(ext\.?|x) ?\d{1,6})?$/i,
    { error: m.authority_phone_invalid },
  ),
  website: requiredText(1, 300, m.authority_website_invalid).refine(isWebAddress, {
    error: m.authority_website_invalid,
  }),
});
export type PublisherBody = z.infer<typeof publisherBodySchema>;

/** An address of the web; `www.example.com` without its scheme is one too. */
function isWebAddress(text: string): boolean {
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && /^[^.]+(\.[^.]+)+$/.test(hostname);
}

/** Names and addresses, each in both directions: the specification names the selector, not its values. */
const PUBLISHER_SORTS = ['NameA-Z', 'NameZ-A', 'AddressA-Z', 'AddressZ-A'] as const;
export type PublisherSort = (typeof PUBLISHER_SORTS)[number];

export const AUTHOR_CALLS = authorityCalls(
  'Author',
  authorSchema,
  authorBodySchema,
  sorted(AUTHOR_SORTS, 'Lastname'),
);
export const GENRE_CALLS = authorityCalls(
  'Genre',
  genreSchema,
  genreBodySchema,
  sorted(GENRE_SORTS, 'NameA-Z'),
);
export const PUBLISHER_CALLS = authorityCalls(
  'Publisher',
  publisherSchema,
  publisherBodySchema,
  sorted(PUBLISHER_SORTS, 'NameA-Z'),
);

export const removeAuthor = call('DELETE Author/:id', { ...staff, params: idSchema, answer: deletedSchema });
/** Unlike of the others, its id is in the query. */
export const removeGenre = call('DELETE Genre', { ...staff, query: idSchema, answer: deletedSchema });
export const removePublisher = call('DELETE Publisher/:id', {
  ...staff,
  params: idSchema,
  answer: deletedSchema,
});
