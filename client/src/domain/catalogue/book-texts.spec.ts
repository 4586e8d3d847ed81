import { seriesText } from './book-texts.js';

describe('the words of a series', () => {
  it.each([
    ['Harry Potter', '1', 'Harry Potter, volume 1'],
    ['Darkest Powers', '1-3', 'Darkest Powers, volumes 1-3'],
    ['The Selection', '0.4, 0.5', 'The Selection, volumes 0.4, 0.5'],
    ['A Song of Ice and Fire', '5, Part 1 of 2', 'A Song of Ice and Fire, volume 5, Part 1 of 2'],
    ['Penguin Classics', null, 'Penguin Classics'],
    [null, null, ''],
  ])('%s and %s are "%s"', (series, volume, words) => {
    expect(seriesText({ series, volume })).toBe(words);
  });
});
