import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { pageQuery, pagedSchema } from '../paging.js';

export const SEARCHES_PAGE_SIZE = 25;
/** Days after its last search for which a text is kept. */
export const SEARCH_RETENTION_DAYS = 90;

/** A text that was searched for, in small letters and single blanks, and not found. */
export const searchWithoutResultSchema = z.object({
  text: z.string(),
  times: z.int().min(1),
  /** How often other spellings of its words found something. */
  corrected: z.int().min(0),
  lastAt: z.iso.datetime(),
});
export type SearchWithoutResult = z.infer<typeof searchWithoutResultSchema>;

const searchReportQuerySchema = z.object(pageQuery(SEARCHES_PAGE_SIZE));
export type SearchReportQuery = z.infer<typeof searchReportQuerySchema>;

/** The texts that were searched for most. */
const searchReportSchema = pagedSchema(searchWithoutResultSchema).extend({
  /** How many others were searched for only once: their texts are not kept. */
  once: z.int().min(0),
});
export type SearchReport = z.infer<typeof searchReportSchema>;

/** What was searched for and not found, for librarians. */
export const readSearchReport = call('GET SearchReport', {
  may: ['searches'],
  query: searchReportQuerySchema,
  answer: searchReportSchema,
});

export const fetchSearchReport = call('GET SearchReport/file', {
  may: ['searches'],
  query: z.object({ format: z.literal('csv', { error: m.catalogue_search_report_format }).default('csv') }),
  answer: 'text/csv',
});
