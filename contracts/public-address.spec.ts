import fc from 'fast-check';
import { forAll } from '../test-support/arbitraries/for-all.js';
import { publicAddress, publicThingAt } from './public-address.js';

describe('the address of a book for everybody', () => {
  it.each([
    ['Zażółć gęślą jaźń!', '/book/7-zazolc-gesla-jazn'],
    ['  1984 ', '/book/7-1984'],
    ['Преступление и наказание', '/book/7-преступление-и-наказание'],
    ['!?', '/book/7'],
    [`${'long '.repeat(20)}title`, `/book/7${'-long'.repeat(12)}`],
  ])('of %j is %s', (title, address) => {
    expect(publicAddress('book', { id: 7, title })).toBe(address);
  });

  it('has words that need no escape but that of their letters, whatever the title', () => {
    forAll([fc.string({ unit: 'grapheme' })], {}, (title) => {
      expect(publicAddress('book', { id: 7, title })).toMatch(/^\/book\/7(-[\p{L}\p{N}]+)*$/u);
    });
  });

  it('is read by what is before its words', () => {
    const list = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
    expect(publicThingAt('/')).toEqual({ kind: 'home', id: '' });
    expect(publicThingAt('/book/7-1984')).toEqual({ kind: 'book', id: '7' });
    expect(publicThingAt('/author/12')).toEqual({ kind: 'author', id: '12' });
    expect(publicThingAt(publicAddress('list', { id: list, title: 'For the summer' }))).toEqual({
      ...{ kind: 'list', id: list },
    });
    for (const path of [
      '',
      '/book/',
      '/book/x',
      '/book/7x',
      '/books/7',
      '/list/7',
      `/list/${'x'.repeat(43)}`,
    ])
      expect(publicThingAt(path)).toBeUndefined();
  });
});
