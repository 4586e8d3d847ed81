import { rateLimitName, nameKey } from './account-names.js';
import { confusableSkeleton } from './confusables.js';

describe('what user names are compared by', () => {
  it.each([
    ['another case', 'admin', 'ADMIN'],
    ['full width', 'admin', 'ａｄｍｉｎ'],
    ['mathematical letters', 'admin', '𝖆𝒹𝓂𝕚𝚗'],
    ['a Cyrillic letter', 'admin', 'аdmin'],
    ['capitals, some of them Cyrillic', 'ADMIN', 'АDМIN'],
    ['Cyrillic letters throughout', 'copy', 'сору'],
    ['Cyrillic capitals throughout', 'Bepa', 'ВЕРА'],
    ['Greek capitals throughout', 'Anna', 'ΑΝΝΑ'],
    ['Armenian letters', 'hou', 'հօս'],
    ['Cherokee letters', 'Dawn', 'ꭰaᎳn'],
    ['Lisu letters', 'pete', 'ꓑꓰꓔꓰ'],
    ['a Turkish i without a dot', 'admin', 'admın'],
    ['a Turkish I with a dot', 'irem', 'İREM'],
    ['a dot over a dotted i', 'admin', 'admi\u0307n'],
    ['a dot over a dotted i with another mark', 'adm\u1ecbn', 'admi\u0323\u0307n'],
    ['a composed letter in its parts', 'Łęcka', 'Łe\u0328cka'],
    ['a háček in place of a breve', 'ăda', 'ǎda'],
    ['a typographic apostrophe', "O'Brien", 'O’Brien'],
    ['another hyphen', 'anna-maria', 'anna‐maria'],
    ['a dot at the end', 'admin', 'admin.'],
    ['both sigmas', 'ΝΙΚΟΣ', 'νικοσ'],
  ])('is the same with %s: %s and %s', (_what, one, other) => {
    expect(nameKey(other)).toBe(nameKey(one));
  });

  it.each([
    ['anna1', 'annal'],
    ['elia', 'ella'],
    ['ola', '0la'],
    ['erna', 'ema'],
    ['łucja', 'lucja'],
    ['Łęcka', 'Łecka'],
    ['öz', 'oz'],
    ['йога', 'иога'],
    ['анна', 'anna'],
    ['j.nowak', 'jnowak'],
    ['a.', 'b.'],
    ['.', '..'],
    ['李', '季'],
  ])('is different for %s and %s', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });

  it('means every letter of ASCII by itself, and no lookalike twice', () => {
    const ascii = Array.from({ length: 95 }, (_, at) => String.fromCodePoint(32 + at)).join('');
    expect(confusableSkeleton(ascii)).toBe(ascii);
    const all = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code));
    expect(
      all.filter((each) => confusableSkeleton(confusableSkeleton(each)) !== confusableSkeleton(each)),
    ).toEqual([]);
  });
});

describe('what a name that somebody signs in by is counted by', () => {
  it.each([
    ['Anna@Example.org', 'ａｎｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ'],
    ['admin', 'Аdmin.'],
  ])('is the same for %s and %s', (one, other) => expect(rateLimitName(other)).toBe(rateLimitName(one)));

  it('tells addresses apart by each letter: they are not chosen here', () => {
    expect(rateLimitName('аnna@example.org')).not.toBe(rateLimitName('anna@example.org'));
  });
});
