import { isControl, type DataField, type MarcField, type MarcRecord } from './record.js';

/** A field of the record, or a new one, with these subfields. */
export function dataField(
  tag: string,
  indicators: string,
  ...subfields: [code: string, value: string][]
): DataField {
  return { tag, indicators, subfields };
}

/**
 * The record with other fields in the place of some: those of a tag where the first of that tag was, or else among its neighbours
 * by number.
 * @param isReplaced which fields go; those that are in `fields` as well stay as they are
 */
export function withFields(
  record: MarcRecord,
  isReplaced: (field: MarcField) => boolean,
  fields: readonly MarcField[],
): MarcRecord {
  const left = new Map(fields.map(({ tag }) => [tag, fields.filter((field) => field.tag === tag)]));
  const written = record.fields.flatMap((field) => {
    if (!isReplaced(field)) return [field];
    const here = left.get(field.tag) ?? [];
    left.delete(field.tag);
    return here;
  });
  for (const [tag, added] of left) {
    written.splice(written.findLastIndex((field) => field.tag <= tag) + 1, 0, ...added);
  }
  return { ...record, fields: written };
}

/** The record with a control field, whose characters from a place on are these; blanks before it where there was none. */
export function withCodes(record: MarcRecord, tag: string, place: number, codes: string): MarcRecord {
  const found = record.fields.find((field) => field.tag === tag);
  const present = (found && isControl(found) ? found.value : '').padEnd(tag === '008' ? 40 : 0);
  const value = present.slice(0, place).padEnd(place) + codes + present.slice(place + codes.length);
  if (found && isControl(found) && found.value === value) return record;
  return withFields(record, (field) => field === found, [{ tag, value }]);
}

/** What ends a part by the punctuation of catalogue cards: " /", " :", " ;", " =" or ","; otherwise one full stop. */
export function withoutCardPunctuation(text: string): string {
  const trimmed = text.trim();
  const marked = trimmed.replace(/(?:\s+[/:;=]|\s*,)$/u, '');
  return marked === trimmed ? withoutFullStop(trimmed) : marked.trimEnd();
}

/** An initial, and what is short for a word, keep theirs; of two that are written, one ends the field. */
export function withoutFullStop(text: string): string {
  if (/[^.]\.\.$/.test(text)) return text.slice(0, -1);
  return /(?:[^\p{L}.\s]|\p{L}{3,}|[\p{L}]{2}(?<!\b(?:jr|sr|st|dr|mr|ed)))\.$/iu.test(text)
    ? text.slice(0, -1)
    : text;
}

/** As it is read back: with a full stop, unless that would be taken for its own. */
export function withFullStop(text: string): string {
  return withoutFullStop(`${text}.`) === text ? `${text}.` : text;
}

/** A field that is written anew. */
export function anew({ tag, indicators, subfields }: DataField): DataField {
  return { tag, indicators, subfields };
}

export const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();

const STROKES: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' };

/** The letters and digits of a text, without case and accents. */
export const foldedLetters = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœ]/g, (letter) => STROKES[letter] ?? letter);

/** What can be read, in so many characters at most. */
export const fits =
  (longest: number) =>
  (text: string): boolean =>
    /[\p{L}\p{N}]/u.test(text) && text.length <= longest;
export const isName = fits(200);
