import { dateOfRow } from './row-date.js';

describe('the date of a row', () => {
  it.each([
    ['2008.0', '2008'],
    ['1999', '1999'],
    ['800', '800'],
    ['0800', '800'],
    ['-720.0', '-720'],
    ['2001-02-03', '2001-02-03'],
    ['2001-02', '2001-02'],
    ['2001-02-03T10:00:00Z', '2001-02-03'],
    ['3.2.2001', '2001-02-03'],
    ['29.02.2004', '2004-02-29'],
    ['2027', '2027'],
    ['', null],
  ])('%j is known as exactly as it is written: %j', (written, published) =>
    expect(dateOfRow(written, 2026)).toEqual({ published }),
  );

  it('is unknown of the year 0, and told', () =>
    expect(dateOfRow('0', 2026)).toEqual({ published: null, assumed: 'there is no year 0, left out' }));

  it.each([
    '2028',
    '2001-02-30',
    '29.02.2003',
    '0000-01-01',
    'c. 1900',
    '=1+1',
    '12345',
    '2001-13',
    '9999-12-31',
    '1e3',
  ])('%j is refused', (written) => expect(dateOfRow(written, 2026)).toHaveProperty('refused'));
});
