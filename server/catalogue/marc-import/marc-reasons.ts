import * as m from '#words/messages.js';
import { z } from 'zod';
import type { Damage } from '../marc/record.js';

type Sentence = (inputs: { where: string }) => string;

const SENTENCES = {
  truncated: m.marc_damage_truncated,
  'too-long': m.marc_damage_too_long,
  leader: m.marc_damage_leader,
  length: m.marc_damage_length,
  directory: m.marc_damage_directory,
  field: m.marc_damage_field,
  characters: m.marc_damage_characters,
  xml: m.marc_damage_xml,
  'not-a-book': m.marc_refused_not_a_book,
  deleted: m.marc_refused_deleted,
  'no-title': m.marc_refused_no_title,
  'same-as': m.marc_refused_same_as,
  gone: m.marc_left_gone,
  'number-taken': m.marc_left_number_taken,
  'edited-since': m.marc_left_edited,
  'in-use': m.marc_left_in_use,
  'copies-pending': m.marc_left_copies_pending,
  'label-elsewhere': m.marc_label_elsewhere,
} satisfies Record<Damage, Sentence> & Record<string, Sentence>;
type ReasonCode = keyof typeof SENTENCES;
const CODES = Object.keys(SENTENCES) as [ReasonCode, ...ReasonCode[]];

/** Why a row is refused, or was left, or what of it is; said in the language of who reads it. */
export const reasonSchema = z.object({ code: z.enum(CODES), where: z.string() });
export type Reason = z.infer<typeof reasonSchema>;

export function reasonText({ code, where }: Reason): string {
  const sentence: Sentence = SENTENCES[code];
  return sentence({ where });
}
