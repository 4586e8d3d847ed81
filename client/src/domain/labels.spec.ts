import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const wording = (locale: string) => JSON.parse(read(`words/${locale}.json`)) as Record<string, string>;

// spec 1.8, 2.37
it('what the specification says otherwise is written down in the readings of it, whole', () => {
  const readings = read('docs/specification-readings.md');
  const table = readings
    .slice(readings.indexOf('## Wording as found'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, asFound, corrected]) => `${asFound} | ${corrected}`);
  const corrected = wording('en');
  const known = Object.entries(wording('en-x-asfound')).map(
    ([key, asFound]) => `${asFound.trim()} | ${corrected[key]?.trim()}`,
  );
  expect(new Set(table)).toEqual(new Set(known));
  expect(known.length).toBeGreaterThan(60);
});
