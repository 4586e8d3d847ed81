import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLabels } from './labels.js';

function servedWith(wording: string, title = ''): void {
  document.head.innerHTML = `<meta name="lectern-labels" content="${wording}">
    <meta name="lectern-title" content="${title}">`;
}

describe('the wording', () => {
  afterEach(() => (document.head.innerHTML = ''));

  // spec 1.8
  it('is the corrected one, and the one that was found where the installation says so', () => {
    servedWith('corrected');
    expect(readLabels()).toMatchObject({ title: 'Lectern', countryRequired: 'Country is required' });
    servedWith('as-found');
    expect(readLabels()).toMatchObject({ title: 'The dating app', countryRequired: 'City is required' });
  });

  it('has a title of the library’s own in either', () => {
    servedWith('as-found', 'Biblioteka');
    expect(readLabels().title).toBe('Biblioteka');
    servedWith('corrected', 'Biblioteka');
    expect(readLabels()).toMatchObject({ title: 'Biblioteka', reports: 'Reports' });
  });

  // spec 2.37
  it('is written down in the readings of the specification, whole', () => {
    const readings = readFileSync(
      join(import.meta.dirname, '../../../docs/specification-readings.md'),
      'utf8',
    );
    const table = readings
      .slice(readings.indexOf('## Wording as found'))
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2)
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, asFound, corrected]) => [asFound, corrected]);
    servedWith('as-found');
    const found = readLabels();
    servedWith('corrected');
    const corrected = readLabels();
    const known = (Object.keys(found) as (keyof typeof found)[]).map((label) => [
      found[label].trim(),
      corrected[label].trim(),
    ]);
    expect(table).toEqual(known);
    expect(known.length).toBeGreaterThan(60);
  });
});
