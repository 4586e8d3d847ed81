import fc from 'fast-check';
import { forAll, forAllInTime } from '../../../test-support/arbitraries/for-all.js';
import { parseIso2709, writeIso2709 } from './iso-2709.js';
import { decodeMarc8, encodeMarc8 } from './marc-8.js';
import { MARC_XML_HEAD, MARC_XML_TAIL, parseMarcXml, writeMarcXml } from './marc-xml.js';
import { marcFormOf, readMarc } from './read-marc.js';
import { isControl, MarcDamaged, type MarcField, type MarcForm, type MarcRecord } from './record.js';

/** Letters of many scripts, marks on anything, and what no library ever meant. */
const character = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...'abcXYZ 0123.,;:/|&<>"\'#ąęłńóśżźĄŁŻéüñçøßæœđơưđ€£©♭ʼˇ') },
  { weight: 3, arbitrary: fc.constantFrom(...'ВойнаимирЁїשלוםسلامΛόγοςⅩ₂³α東京日本語한국어漢字、カナ') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\u0301',
      '\u0328',
      '\u0361',
      '\u0360',
      '\u0305',
      '\u05b7',
      '\u200d',
      '\u0098',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
);
const text = (maxLength: number) =>
  fc
    .array(character, { maxLength })
    .map((parts) => parts.join('').normalize('NFC'))
    // What is written as a reference is read as its character, and what ends a field cannot be in it.
    .filter(
      (value) =>
        !/&#x[0-9a-f]{2,6};/i.test(value) &&
        !['\x1b', '\x1d', '\x1e', '\x1f'].some((end) => value.includes(end)),
    );
const value = fc.oneof(
  { weight: 6, arbitrary: text(12) },
  { weight: 1, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: text(40).map((part) => part.repeat(20).normalize('NFC')) },
);
const indicator = fc.constantFrom(...' 0123456789');
const field: fc.Arbitrary<MarcField> = fc.oneof(
  fc.record({ tag: fc.constantFrom('001', '003', '005', '008', '00A'), value: text(40) }),
  fc.record({
    tag: fc.constantFrom('020', '100', '245', '500', '650', '9XX', '952', 'LKR'),
    indicators: fc.tuple(indicator, indicator).map((both) => both.join('')),
    subfields: fc.array(fc.tuple(fc.constantFrom(...'abcdx0129'), value), { maxLength: 6 }),
  }),
);
const recordIn = (coding: 'a' | ' ') =>
  fc
    .array(field, { maxLength: 25 })
    .map((fields): MarcRecord => ({ leader: `00000nam ${coding}2200000 i 4500`, fields }));
const record = fc.constantFrom('a' as const, ' ' as const).chain(recordIn);

/** Without the bytes that the fields came as: they are then written anew. */
const meant = ({ leader, fields }: MarcRecord) => ({
  leader: leader.replace(/^\d{5}/, '').replace(/22\d{5}/, ''),
  fields: fields.map((each) =>
    isControl(each)
      ? { tag: each.tag, value: each.value }
      : { tag: each.tag, indicators: each.indicators, subfields: each.subfields },
  ),
});
const anew = ({ leader, fields }: MarcRecord): MarcRecord => ({
  leader,
  fields: fields.map(({ bytes: _, ...each }) => each),
});

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(form: MarcForm, bytes: Uint8Array, size = 997) {
  const read = [];
  for await (const each of readMarc(form, inPieces(bytes, size))) read.push(each);
  return read;
}

const damageOf = (work: () => unknown) => {
  try {
    work();
    return undefined;
  } catch (error) {
    return error instanceof MarcDamaged ? error.damage : error;
  }
};

describe('a record in ISO 2709', () => {
  it('is written and read byte for byte, in UTF-8 and in MARC-8', () => {
    forAll([record], { numRuns: 400 }, (given) => {
      const bytes = writeIso2709(given);
      const read = parseIso2709(bytes);
      expect(meant(read)).toEqual(meant(given));
      expect(writeIso2709(read)).toEqual(bytes);
      expect(writeIso2709(anew(read))).toEqual(bytes);
    });
  });

  it('keeps the bytes of fields that nobody changed, however they are written', () => {
    // "é" as a letter and a mark that no one asked for twice, and a set that is left only at the end.
    const odd = Buffer.from('0010\x1faCaf\xe2e \x1b(Nwojna\x1b(B', 'latin1').subarray(2);
    const whole = parseIso2709(
      writeIso2709({
        leader: '00000nam  2200000 i 4500',
        fields: [
          { tag: '245', indicators: '10', subfields: [], bytes: odd },
          { tag: '500', indicators: '  ', subfields: [['a', 'Old']] },
        ],
      }),
    );
    const changed = whole.fields.map((each) =>
      each.tag === '500' ? { tag: '500', indicators: '  ', subfields: [['a', 'New'] as const] } : each,
    );
    expect(writeIso2709({ ...whole, fields: changed }).includes(odd)).toBe(true);
  });

  it('has no room for what is too long, nor for what ends a field', () => {
    const of = (value: string, times = 1) => ({
      leader: '00000nam a2200000 i 4500',
      fields: Array.from({ length: times }, () => ({
        tag: '500',
        indicators: '  ',
        subfields: [['a', value] as const],
      })),
    });
    expect(damageOf(() => writeIso2709(of('x'.repeat(10_000))))).toBe('too-long');
    expect(damageOf(() => writeIso2709(of('x'.repeat(9000), 12)))).toBe('too-long');
    expect(damageOf(() => writeIso2709(of('a\x1eb')))).toBe('field');
  });

  const sound = writeIso2709({
    leader: '00000nam a2200000 i 4500',
    fields: [
      { tag: '001', value: '42' },
      { tag: '245', indicators: '10', subfields: [['a', 'Zażółć']] },
    ],
  });
  const changed = (change: (text: string) => string) =>
    Buffer.from(change(sound.toString('latin1')), 'latin1');

  it.each([
    ['leader', changed((text) => `x${text.slice(1)}`)],
    ['leader', changed((text) => text.replace(/^(.{10})22/, '$133'))],
    ['length', changed((text) => text.replace(/^.{5}/, '00099'))],
    ['directory', changed((text) => text.replace(/^(.{24})001/, '$1 \x011'))],
    ['directory', changed((text) => text.replace(/^(.{12}).{5}/, '$100030'))],
    ['field', changed((text) => text.replace(/0010003/, '0010009'))],
    ['field', changed((text) => text.replace('10\x1fa', '10xa'))],
    ['characters', changed((text) => text.replace('\xc5', '\xff'))],
  ] as const)('is told apart where it is damaged: %s', async (damage, bytes) => {
    const read = await readAll('iso2709', Buffer.concat([sound, bytes, Buffer.from('\r\n'), sound]));
    expect(read.map((each) => ('damaged' in each ? each.damaged.damage : 'sound'))).toEqual([
      'sound',
      damage,
      'sound',
    ]);
  });

  it('is told apart where the file ends in it, and where it never ends', async () => {
    const cut = await readAll('iso2709', Buffer.concat([sound, sound.subarray(0, -1)]));
    expect(cut.map((each) => 'damaged' in each && each.damaged.damage)).toEqual([false, 'truncated']);
    const long = Buffer.concat([Buffer.alloc(300_000, 0x41), Buffer.of(0x1d), sound]);
    const read = await readAll('iso2709', long, 64 * 1024);
    expect(read.map((each) => 'damaged' in each && each.damaged.damage)).toEqual(['too-long', false]);
  });

  it('is a record or a damage for any bytes', async () => {
    const cuts = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
    await forAllInTime([cuts], { numRuns: 300 }, async (given) => {
      const bytes = Buffer.from(sound);
      for (const [at, byte] of given) bytes[at] = byte;
      const read = await readAll('iso2709', Buffer.concat([bytes, sound]));
      expect('record' in (read.at(-1) ?? {})).toBe(true);
    });
  });
});

describe('MARC-8', () => {
  it.each([
    ['5a61b7f1a4c2bb20e26520e865', undefined],
    ['e26f', 'ó'],
    ['b1f161f165e26fe273b1e27ae77a', 'łąęóśłźż'],
    ['a14f', 'ŁO'],
    ['eb74ec73', 't͡s'],
    ['1b284e6f5b6f1b2842', 'ОшО'],
    ['1b24312130211b2842', '一'],
    ['481b62321b734f', 'H₂O'],
    ['2623783035464f; '.slice(0, 4), '&#'],
    ['26237830344631433b', undefined],
  ])('%s is %j', (hex, expected) => {
    if (expected === undefined)
      return expect(() => decodeMarc8(Buffer.from(hex, 'hex'))).not.toThrow(TypeError);
    expect(decodeMarc8(Buffer.from(hex, 'hex'))).toBe(expected);
    expect(decodeMarc8(encodeMarc8(expected))).toBe(expected);
  });
});

describe('a record in MARCXML', () => {
  const xmlOnly = record.filter(
    ({ fields }) =>
      !/[^\t\n\r\x20-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]/u.test(
        JSON.stringify(fields).replace(/\\u00[0-1]./g, '\x00'),
      ),
  );

  it('is read as it was written, and is the same record as in ISO 2709', () => {
    forAll([xmlOnly], { numRuns: 300 }, (given) => {
      const xml = writeMarcXml(given);
      const read = parseMarcXml(xml);
      expect(meant(read).fields).toEqual(meant(given).fields);
      expect(writeMarcXml(read)).toBe(xml);
      expect(meant(parseIso2709(writeIso2709(read)))).toEqual(meant(read));
    });
  });

  it('costs no other record where it is not well-formed, or is none', async () => {
    const one = writeMarcXml({
      leader: '00000nam a2200000 i 4500',
      fields: [{ tag: '001', value: 'a & b' }],
    });
    const prefixed = one.replace(/<(\/?)(\w)/g, '<$1marc:$2');
    const file =
      `${MARC_XML_HEAD}${one}${one.replace('&amp;', '&')}${prefixed}` +
      `${one.replace('001', '1')}${one.replace('</controlfield>', '')}<record/>${one}${MARC_XML_TAIL}<record>`;
    const read = await readAll('marcxml', Buffer.from(file), 13);
    expect(read.map((each) => ('damaged' in each ? each.damaged.damage : each.record.fields.length))).toEqual(
      [...[1, 'xml', 1, 'field', 'xml', 1, 'truncated']],
    );
  });

  it('is known by its beginning, as ISO 2709 is, and CSV is neither', async () => {
    expect(marcFormOf(Buffer.from('\ufeff<?xml version="1.0"?>'))).toBe('marcxml');
    expect(marcFormOf(Buffer.from('<marc:collection xmlns:marc="">'))).toBe('marcxml');
    expect(marcFormOf(Buffer.from('\n01227cam a22002894a 4500001'))).toBe('iso2709');
    expect(marcFormOf(Buffer.from('isbn,title,authors\n01227,cam,a'))).toBeUndefined();
    const latin = Buffer.from(
      `<?xml version="1.0" encoding="ISO-8859-1"?><record><leader>00000nam a2200000 i 4500</leader><controlfield tag="001">\xe9</controlfield></record>`,
      'latin1',
    );
    expect(await readAll('marcxml', latin)).toMatchObject([
      { record: { fields: [{ tag: '001', value: 'é' }] } },
    ]);
  });
});
