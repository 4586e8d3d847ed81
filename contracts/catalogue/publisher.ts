import { z } from 'zod';
import { emptyAsUndefined } from '../empty-as-undefined.js';
import { MAX_PAGE_SIZE, pageQuery, pagedSchema } from '../paging.js';
import { editedVersionSchema, requiredText } from './authority.js';

export const PUBLISHERS_PAGE_SIZE = 10;

/** A publisher (specification, section 3; `adress` is spelt so). */
export const publisherSchema = z.object({
  id: z.int(),
  name: z.string(),
  adress: z.string(),
  phone: z.string(),
  website: z.string(),
  version: z.int(),
});
export type Publisher = z.infer<typeof publisherSchema>;
export const publisherListSchema = z.array(publisherSchema).max(MAX_PAGE_SIZE);
export const publisherPageSchema = pagedSchema(publisherSchema);

const PHONE = 'Invalid phone number format (e.g., +48 123-456-789)';
const WEBSITE = 'Invalid website URL (e.g., https://www.example.com)';

/** The publisher dialog, and the body of `POST Publisher/add`. */
export const publisherBodySchema = z.object({
  name: requiredText(2, 100, 'Name is required (2-100 characters).'),
  adress: requiredText(5, 200, 'Address is required (5-200 characters).'),
  /** Digits in groups, with or without a country code and an extension. */
  phone: requiredText(1, 40, PHONE).regex(/^\+?\(?\d[\d\s().\-/]{4,}\d( ?(ext\.?|x) ?\d{1,6})?$/i, PHONE),
  website: requiredText(1, 300, WEBSITE).refine(isWebAddress, WEBSITE),
});
export type PublisherBody = z.infer<typeof publisherBodySchema>;

/** An address of the web; `www.example.com` without its scheme is one too. */
function isWebAddress(text: string): boolean {
  const address = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`;
  if (/\s/.test(text) || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && /^[^.]+(\.[^.]+)+$/.test(hostname);
}

/** The body of `PUT Publisher/{id}`. */
export const publisherEditSchema = publisherBodySchema.extend({ version: editedVersionSchema });

/** Names and addresses, each in both directions: the specification names the selector, not its values. */
export const publisherSortSchema = z.enum(['NameA-Z', 'NameZ-A', 'AddressA-Z', 'AddressZ-A']);
export type PublisherSort = z.infer<typeof publisherSortSchema>;

/** `GET Publisher/paginated` */
export const publisherListQuerySchema = z.object({
  SortBy: z.preprocess(emptyAsUndefined, publisherSortSchema.default('NameA-Z')),
  SearchTerm: z.string().max(200).default(''),
  ...pageQuery(PUBLISHERS_PAGE_SIZE),
});
