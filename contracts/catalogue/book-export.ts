import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { emptyAsUndefined } from '../empty-as-undefined.js';

export const EXPORT_FORMATS = ['iso2709', 'marcxml', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The name that an export is saved under, and what it is. */
export const EXPORT_FILES: Record<ExportFormat, { name: string; type: string }> = {
  iso2709: { name: 'catalogue.mrc', type: 'application/marc' },
  marcxml: { name: 'catalogue.xml', type: 'application/marcxml+xml' },
  csv: { name: 'catalogue.csv', type: 'text/csv; charset=utf-8' },
};

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(emptyAsUndefined, schema.optional());

/** Books as a file: all, or those of a search, of a list of the library, or changed since a day; the latter of any of these. */
export const exportCatalogue = call('GET Export/books', {
  may: ['imports'],
  query: z
    .object({
      format: z.enum(EXPORT_FORMATS),
      SearchTerm: z.string().max(200).default(''),
      list: optional(z.uuid()),
      /** By the library's days. */
      since: optional(z.iso.date({ error: m.common_not_a_day })),
    })
    .refine(({ SearchTerm, list }) => SearchTerm.trim() === '' || list === undefined, {
      path: ['list'],
      error: m.export_search_or_list,
    }),
  answer: 'application/marc',
  takesLong: true,
});
