import fc from 'fast-check';
import { bookAddress } from './book-address.js';

describe('the address of a book', () => {
  it.each([
    ['Zażółć gęślą jaźń!', '/book/7-zazolc-gesla-jazn'],
    ['  1984 ', '/book/7-1984'],
    ['Преступление и наказание', '/book/7-преступление-и-наказание'],
    ['!?', '/book/7'],
    [`${'long '.repeat(20)}title`, `/book/7${'-long'.repeat(12)}`],
  ])('of %j is %s', (title, address) => {
    expect(bookAddress({ id: 7, title })).toBe(address);
  });

  it('has words that need no escape but that of their letters, whatever the title', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (title) => {
        expect(bookAddress({ id: 7, title })).toMatch(/^\/book\/7(-[\p{L}\p{N}]+)*$/u);
      }),
    );
  });
});
