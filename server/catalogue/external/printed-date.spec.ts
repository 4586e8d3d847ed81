import { dayOfPrinted } from './printed-date.js';

describe('the day that is printed in a book', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it.each([
    ['2003', '2003'],
    ['2003-05', '2003-05'],
    ['2003-05-17', '2003-05-17'],
    ['March 2003', '2003-03'],
    ['Mar. 2003', '2003-03'],
    ['2003 March', '2003-03'],
    ['Sep 16, 1987', '1987-09-16'],
    ['September 3, 1987', '1987-09-03'],
    ['1 May 2003', '2003-05-01'],
    ['1st May 2003', '2003-05-01'],
    ['c1998', '1998'],
    ['1998?', '1998'],
    ['[1963]', '1963'],
    ['February 30, 1987', '1987'],
    ['03/04/2003', '2003'],
    ['2003-13-45', '2003'],
    ['Printemps 1999', '1999'],
  ])('%s is %s', (printed, day) => {
    expect(dayOfPrinted(printed, now)).toBe(day);
  });
  it.each(['', 'n.d.', '19--', '198', '2999', '20031', 'March'])('"%s" is unknown', (printed) => {
    expect(dayOfPrinted(printed, now)).toBeUndefined();
  });
});
