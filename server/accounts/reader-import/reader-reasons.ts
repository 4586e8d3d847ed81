import * as m from '#words/messages.js';
import { z } from 'zod';
import { READER_FIELD_LABELS, READER_IMPORT_FIELDS } from '#contracts/accounts/reader-import.js';

type Sentence = (inputs: { field: string; where: string }) => string;

const SENTENCES = {
  'not-read': m.readers_import_not_read,
  cells: m.readers_import_cells,
  missing: m.readers_import_missing,
  'too-long': m.readers_import_too_long,
  characters: m.readers_import_characters,
  'not-a-day': m.readers_import_not_a_day,
  'not-an-email': m.readers_import_not_an_email,
  'not-a-card': m.readers_import_not_a_card,
  'not-a-number': m.readers_import_not_a_number,
  'kind-unknown': m.readers_import_kind_unknown,
  'country-unknown': m.readers_import_country_unknown,
  'no-key': m.readers_import_no_key,
  'same-as': m.readers_import_same_as,
  'fits-two': m.readers_import_fits_two,
  'other-name': m.readers_import_other_name,
  'shared-address': m.readers_import_shared_address,
  nobody: m.readers_import_settled_nobody,
  'username-taken': m.readers_import_username_taken,
  'reader-unknown': m.readers_import_reader_unknown,
  'reader-waits': m.readers_import_reader_waits,
  'copy-unknown': m.readers_import_copy_unknown,
  'copy-gone': m.readers_import_copy_gone,
  'copy-lent': m.readers_import_copy_lent,
  'has-book': m.readers_import_has_book,
  'changed-since': m.readers_import_changed_since,
  'here-before': m.readers_import_here_before,
  'open-loans': m.readers_import_open_loans,
} satisfies Record<string, Sentence>;
export type ReasonCode = keyof typeof SENTENCES;
const CODES = Object.keys(SENTENCES) as [ReasonCode, ...ReasonCode[]];

/** Why a row is refused or was left, or what is to be known of it: never what it says of the person. Said in the reader's language. */
export const readerReasonSchema = z.object({
  code: z.enum(CODES),
  field: z.enum(READER_IMPORT_FIELDS).exactOptional(),
  where: z.string().exactOptional(),
});
export type ReaderReason = z.infer<typeof readerReasonSchema>;

export function readerReasonText({ code, field, where = '' }: ReaderReason): string {
  const sentence: Sentence = SENTENCES[code];
  return sentence({ field: field ? READER_FIELD_LABELS[field]() : '', where });
}
