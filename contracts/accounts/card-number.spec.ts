import { looksLikeCardNumber, readCardNumber, spacedCardNumber } from './card-number.js';

const NUMBER = '24810937552614';

/** The same number with the check digit that it should have. */
function checked(digits: string): string {
  const found = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`).filter((each) =>
    readCardNumber(each),
  );
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

describe('the number of a card', () => {
  it('is read as it is scanned, and as people type it', () => {
    const number = checked(NUMBER.slice(0, -1));
    expect(readCardNumber(number)).toBe(number);
    expect(readCardNumber(` ${spacedCardNumber(number)} `)).toBe(number);
    expect(spacedCardNumber(number)).toMatch(/^\d{4} \d{4} \d{4} \d{2}$/);
  });

  it('is not read with a wrong digit anywhere', () => {
    const number = checked('2000123456789');
    for (let place = 1; place < number.length; place += 1) {
      const wrong = `${number.slice(0, place)}${(Number(number[place]) + 3) % 10}${number.slice(place + 1)}`;
      expect([wrong, readCardNumber(wrong)]).toEqual([wrong, undefined]);
      expect(looksLikeCardNumber(wrong)).toBe(true);
    }
  });

  it('is neither an ISBN, nor the code of a copy, nor a name', () => {
    for (const other of ['9788324013470', '4711-2-3', 'Kowalczyk Jan', '2026-11-22', '12481093755261']) {
      expect([other, looksLikeCardNumber(other)]).toEqual([other, false]);
    }
  });
});
