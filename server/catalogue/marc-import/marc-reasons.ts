import * as m from '#words/messages.js';
import { z } from 'zod';
import { DAMAGES, type Damage } from '../marc/record.js';

const CODES = [
  ...DAMAGES,
  'not-a-book',
  'deleted',
  'no-title',
  'same-as',
  'gone',
  'number-taken',
  'edited-since',
  'in-use',
] as const;
type ReasonCode = (typeof CODES)[number];

/** Why a row is refused, or was left; said in the language of who reads it. */
export const reasonSchema = z.object({ code: z.enum(CODES), where: z.string() });
export type Reason = z.infer<typeof reasonSchema>;

const DAMAGED: Record<Damage, (inputs: { where: string }) => string> = {
  truncated: m.marc_damage_truncated,
  'too-long': m.marc_damage_too_long,
  leader: m.marc_damage_leader,
  length: m.marc_damage_length,
  directory: m.marc_damage_directory,
  field: m.marc_damage_field,
  characters: m.marc_damage_characters,
  xml: m.marc_damage_xml,
};

const SENTENCES: Record<ReasonCode, (inputs: { where: string }) => string> = {
  ...DAMAGED,
  'not-a-book': m.marc_refused_not_a_book,
  deleted: m.marc_refused_deleted,
  'no-title': m.marc_refused_no_title,
  'same-as': m.marc_refused_same_as,
  gone: m.marc_left_gone,
  'number-taken': m.marc_left_number_taken,
  'edited-since': m.marc_left_edited,
  'in-use': m.marc_left_in_use,
};

export function reasonText({ code, where }: Reason): string {
  return SENTENCES[code]({ where });
}
