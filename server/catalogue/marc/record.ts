/** A field of a number, a date or codes: 001 to 009. */
export interface ControlField {
  tag: string;
  value: string;
  /** As they came, without the terminator, in the record's coding. A changed field is another object, without them. */
  bytes?: Buffer;
}

export interface DataField {
  tag: string;
  /** Two characters. */
  indicators: string;
  subfields: readonly (readonly [code: string, value: string])[];
  bytes?: Buffer;
}

export type MarcField = ControlField | DataField;

/** A record of MARC 21, as ISO 2709 and MARCXML both have it. */
export interface MarcRecord {
  /** 24 characters; lengths and addresses in it say nothing. */
  leader: string;
  fields: readonly MarcField[];
}

/** How a record is written. */
export type MarcForm = 'iso2709' | 'marcxml';

/** Why a record cannot be read; `where` is a tag, a length or a word of the parser. */
export type Damage =
  | 'truncated'
  | 'too-long'
  | 'leader'
  | 'length'
  | 'directory'
  | 'field'
  | 'characters'
  | 'xml';

/** A record that is damaged, or that a form has no room for. */
export class MarcDamaged extends Error {
  constructor(
    readonly damage: Damage,
    readonly where = '',
  ) {
    super(`${damage} ${where}`.trim());
  }
}

export const isControlTag = (tag: string): boolean => tag.startsWith('00');

export const isControl = (field: MarcField): field is ControlField => 'value' in field;

/** What of a record is UTF-8; otherwise it is MARC-8. */
export const isUnicode = ({ leader }: MarcRecord): boolean => leader[9] === 'a';

/** The first control field of this tag, in characters that can be kept and without blanks around it; not an empty one. */
export function controlOf({ fields }: MarcRecord, tag: string): string | undefined {
  const found = fields.find((field) => field.tag === tag);
  return (found && isControl(found) && found.value.replace(/\p{C}/gu, '').trim()) || undefined;
}

/** The data fields of these tags, in the order of the record. */
export function dataFields({ fields }: MarcRecord, ...tags: string[]): DataField[] {
  return fields.flatMap((field) => (!isControl(field) && tags.includes(field.tag) ? [field] : []));
}

/** All of a field's subfields of these codes. */
export function subfieldsOf({ subfields }: DataField, codes: string): string[] {
  return subfields.flatMap(([code, value]) =>
    codes.includes(code) && value.trim() !== '' ? [value.trim()] : [],
  );
}
