import { EARLIEST, dateOfRow } from './row-date.js';

describe('the date of a row', () => {
  it.each([
    ['2008.0', '2008-01-01'],
    ['1999', '1999-01-01'],
    ['800', '0800-01-01'],
    ['2001-02-03', '2001-02-03'],
    ['2001-02', '2001-02-01'],
    ['2001-02-03T10:00:00Z', '2001-02-03'],
    ['3.2.2001', '2001-02-03'],
    ['29.02.2004', '2004-02-29'],
    ['2027', '2027-01-01'],
  ])('%j is %j', (written, day) => expect(dateOfRow(written, 2026)).toEqual({ day }));

  it.each(['', '-720.0', '0', '-1'])('%j is the earliest day, and told', (written) =>
    expect(dateOfRow(written, 2026)).toEqual({ day: EARLIEST, assumed: expect.stringContaining(EARLIEST) }),
  );

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
