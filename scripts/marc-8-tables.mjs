// Writes the tables of MARC-8 anew from the Library of Congress' code tables
// (https://www.loc.gov/marc/specifications/codetables.xml): `node scripts/marc-8-tables.mjs codetables.xml`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './freshness.mjs';

const BASIC_LATIN = '42';
const EAST_ASIAN = '31';
const xml = readFileSync(process.argv[2], 'utf8');
const textOf = (code, name) => new RegExp(`<${name}>\\s*([0-9A-F]+|true)\\s*</${name}>`).exec(code)?.[1];

/** Characters by their codes, in each set; a blank stands where a set has none. */
function rowsOf(set) {
  const rows = new Map();
  for (const [code] of set.matchAll(/<code>[\s\S]*?<\/code>/g)) {
    const [marc, ucs] = [textOf(code, 'marc'), textOf(code, 'ucs')];
    // The second halves of marks over two letters: Unicode has one mark for both.
    if (ucs === undefined) continue;
    const character = String.fromCharCode(Number.parseInt(ucs, 16));
    if (/\p{M}/u.test(character) !== (textOf(code, 'isCombining') === 'true'))
      console.warn(`${marc} ${character}: one of both says that it is a mark`);
    const place = (Number.parseInt(marc.slice(-2), 16) & 0x7f) - 0x20;
    if (place < 0) continue;
    const row = marc.slice(0, -2);
    const characters = rows.get(row) ?? Array(95).fill(' ');
    characters[place] = character;
    rows.set(row, characters);
  }
  return [...rows].sort().map(([row, characters]) => [row, characters.join('').trimEnd()]);
}

const sets = [...xml.matchAll(/<characterSet [^>]*ISOcode="(..)">([\s\S]*?)<\/characterSet>/g)];
const single = sets.filter(([, iso]) => iso !== BASIC_LATIN && iso !== EAST_ASIAN);
const eastAsian = sets.find(([, iso]) => iso === EAST_ASIAN);
const planes = new Map();
for (const [row, text] of rowsOf(eastAsian[2])) {
  const rows = planes.get(row.slice(0, 2)) ?? [];
  rows[Number.parseInt(row.slice(2), 16) - 0x21] = text;
  planes.set(row.slice(0, 2), rows);
}
const escaped = (text) =>
  [...text]
    .map((unit) => (unit === ' ' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('');

writeFileSync(
  join(root, 'server/catalogue/marc/marc-8-tables.ts'),
  `// Made by scripts/marc-8-tables.mjs from the code tables of the Library of Congress.

/** By the last byte of the escape sequence: the characters from code 0x20 on, a blank where there is none. */
export const SINGLE_BYTE: Readonly<Record<string, string>> = {
${single.map(([, iso, set]) => `  ${JSON.stringify(String.fromCharCode(Number.parseInt(iso, 16)))}: '${escaped(rowsOf(set)[0][1])}',`).join('\n')}
};

/** Chinese, Japanese and Korean, a string for each first byte: it, and rows from the second byte 0x21 on, each of the characters from the third byte 0x20 on. */
export const EAST_ASIAN: readonly string[] = [
${[...planes].map(([first, rows]) => `  '${first}|${Array.from(rows, (row) => row ?? '').join('|')}',`).join('\n')}
];
`,
);
