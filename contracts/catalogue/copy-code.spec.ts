import fc from 'fast-check';
import { copyCode, readCopyCode } from './copy-code.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';

const copies = fc.record({
  bookId: fc.integer({ min: 1, max: 2_147_483_647 }),
  copy: fc.integer({ min: 1, max: 10_000 }),
});

describe('the code of a copy', () => {
  it('is read back', () => {
    forAll([copies], {}, (copy) => expect(readCopyCode(copyCode(copy))).toEqual(copy));
    expect(readCopyCode(` ${copyCode({ bookId: 4711, copy: 2 }).replaceAll('-', ' - ')} `)).toEqual({
      bookId: 4711,
      copy: 2,
    });
  });

  it('with one wrong digit is none', () => {
    forAll([copies, fc.nat(), fc.integer({ min: 1, max: 9 })], {}, (copy, at, by) => {
      const code = copyCode(copy);
      const places = [...code.matchAll(/\d/g)].map(({ index }) => index);
      const place = places[at % places.length] ?? 0;
      const wrong = (Number(code[place]) + by) % 10;
      expect(readCopyCode(code.slice(0, place) + String(wrong) + code.slice(place + 1))).toBeUndefined();
    });
  });

  it('with two neighbours exchanged is none', () => {
    forAll([copies, fc.nat()], {}, (copy, at) => {
      const code = copyCode(copy);
      const places = [...code.matchAll(/\d(?=\d)/g)].map(({ index }) => index);
      fc.pre(places.length > 0);
      const place = places[at % places.length] ?? 0;
      const [first, second] = [code[place] ?? '', code[place + 1] ?? ''];
      fc.pre(first !== second);
      expect(readCopyCode(code.slice(0, place) + second + first + code.slice(place + 2))).toBeUndefined();
    });
  });

  it.each(['', '9788308049969', '12-3', '012-1-4', '1-0-3', '1-1-x', '99999999999-1-0'])(
    'is not %j',
    (text) => expect(readCopyCode(text)).toBeUndefined(),
  );
});
