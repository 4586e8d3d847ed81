import { openOwnDatabase } from '../../../test-support/own-database.js';
import { shared } from '../../../test-support/shared.js';
import { exportMarc } from '../export/export-marc.js';
import { isbn13Of } from '../isbn.js';
import { parseIso2709, writeIso2709 } from '../marc/iso-2709.js';
import type { MarcField, MarcRecord } from '../marc/record.js';
import { MARC_IMPORTS } from './marc-imports.js';
import { runMarcImport } from './run-marc.js';
import { stageMarc } from './stage-marc.js';

/** Enough for each kind of field to be there more than a hundred times. */
const RECORDS = 1_200;
/** One of so many is in MARC-8. */
const IN_MARC_8 = 10;
/** After so many there is a damaged one. */
const DAMAGED = 50;

/** Numbers from 0 to below a bound, the same ones in each run. */
function numbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const WORDS =
  'zażółć gęślą jaźń Łódź war and peace naïve Ærøskøbing Đorđe œuvre Война и мир їжак Λόγος πόλις שלום ספר سلام كتاب 東京 日本語 圖書館 한국어 도서관 & <tag> "quoted" d’été 1945. C++ t͡s, Šibenik; £12 ♭ ℗2001 H₂O x² 😀'.split(
    ' ',
  );
const FIRSTNAMES = ['Stanisław', 'Ольга', 'J. R. R.', 'Ægir', 'José María', '文子'];
/** All kinds of fields beside those that every record has: of each group of MARC 21, of no group, of letters, and those that libraries make up. */
const TAGS =
  '010 013 015 016 017 018 020 022 024 028 030 033 034 035 040 041 043 045 050 060 072 080 082 084 110 111 130 210 222 240 243 246 247 250 254 255 256 257 260 263 264 270 300 306 310 321 336 337 338 340 344 351 362 365 380 440 490 500 501 502 504 505 506 508 510 511 518 520 521 530 533 534 538 540 541 546 561 583 586 600 610 611 630 648 650 651 653 655 656 700 710 711 720 730 740 752 753 760 770 773 776 780 785 787 800 810 811 830 841 850 852 856 866 880 886 887 900 910 942 952 999 9XX CAT LKR'.split(
    ' ',
  );
const CODES = 'abcdefghiklmnopqrstuvxyz023456789';
const INDICATORS = '  0123456789';

/** Letters alone, so that nobody is taken for somebody else. */
const surname = (index: number) =>
  [3, 2, 1, 0]
    .map((place) => String.fromCharCode(97 + (Math.floor(index / 26 ** place) % 26)))
    .join('')
    .replace(/^./, (letter) => `M${letter}`);

function generated(index: number, random: (below: number) => number): MarcRecord {
  const pick = <Item>(items: ArrayLike<Item>) => items[random(items.length)] as Item;
  const text = (most: number) => Array.from({ length: 1 + random(most) }, () => pick(WORDS)).join(' ');
  const others = Array.from({ length: 4 + random(20) }, (_, at): MarcField => {
    const tag = pick(TAGS);
    const length = at === 0 && index % 100 === 0 ? 100 : 6;
    return {
      tag,
      indicators: pick(INDICATORS) + pick(INDICATORS),
      subfields: Array.from({ length: random(5) }, (_none, place) => {
        const code = pick(CODES);
        // No two copies have one label.
        const isLabel = code === 'p' && ['852', '952'].includes(tag);
        return [code, isLabel ? `K${index}.${at}.${place}` : random(20) === 0 ? '' : text(length)] as const;
      }),
    };
  });
  const isbn = isbn13Of(String(100_000_000 + index));
  const fields: MarcField[] = [
    { tag: '001', value: `gen-${index}` },
    { tag: '003', value: 'GEN' },
    { tag: '005', value: '20261127031528.0' },
    { tag: '006', value: 'm     o  d        ' },
    { tag: '007', value: 'cr cnu---unuuu' },
    {
      tag: '008',
      value: `991231s${1500 + random(500)}    xx            000 0 ${pick(['pol', 'eng', 'jpn', 'und'])} d`,
    },
    ...(index % 2 === 0
      ? [{ tag: '020', indicators: '  ', subfields: [['a', `${isbn} (pbk.) :`] as const] }]
      : []),
    {
      tag: '100',
      indicators: '1 ',
      subfields: [
        ['a', `${surname(index)}, ${pick(FIRSTNAMES)},`],
        ['d', '1921-2006.'],
      ],
    },
    {
      tag: '245',
      indicators: '10',
      subfields: [
        ['a', `Book ${text(4)} :`],
        ['b', `${text(6)} /`],
        ['c', text(5)],
      ],
    },
    ...others,
  ];
  return {
    leader: `00000${pick('acnp')}${pick('aeg')}m ${index % IN_MARC_8 === 0 ? ' ' : 'a'}2200000 i 4500`,
    fields,
  };
}

describe('a catalogue of every kind of field', () => {
  const random = numbers(2709);
  const files = Array.from({ length: RECORDS }, (_, index) => writeIso2709(generated(index, random)));
  const database = shared(() => openOwnDatabase());

  it('is read and written anew, byte for byte', () => {
    const wrong = files.filter((bytes) => {
      const { leader, fields } = parseIso2709(bytes);
      const anew = fields.map(({ bytes: _, ...field }): MarcField => field);
      return !writeIso2709({ leader, fields: anew }).equals(bytes);
    });
    expect(wrong).toEqual([]);
  });

  it('comes out of an import as it came in, byte for byte, but for damaged records', async () => {
    async function* file() {
      for (const [index, bytes] of files.entries()) {
        yield bytes;
        // Its leader says another length than it has.
        if (index % DAMAGED === 0) yield Buffer.concat([Buffer.from('00099'), bytes.subarray(5)]);
      }
    }
    const id = await stageMarc(database, file(), {
      ...{ name: 'all.mrc', form: 'iso2709', wins: [], copies: 1, startedBy: null, now: new Date() },
    });
    expect(await MARC_IMPORTS.find(database, id)).toMatchObject({
      outcomes: { new: RECORDS, refused: RECORDS / DAMAGED, unsure: 0, same: 0, changed: 0 },
    });
    await MARC_IMPORTS.move(database, id, ['staged'], 'running');
    expect(await runMarcImport(database, id)).toBe(true);
    const pieces: Buffer[] = [];
    for await (const piece of exportMarc(database, 'iso2709')) pieces.push(piece);
    const out = Buffer.concat(pieces).toString('latin1').split('\x1d').slice(0, -1);
    const wrong = files.filter((bytes, index) => `${out[index]}\x1d` !== bytes.toString('latin1'));
    expect([out.length, wrong.map((bytes) => bytes.toString())]).toEqual([RECORDS, []]);
  });
});
