import fc from 'fast-check';
import { LANGUAGES } from '#contracts/languages.js';
import * as messages from '#words/messages.js';
import { OWN_MESSAGES } from '#words/own-messages.js';
import { forAll } from '../test-support/arbitraries/for-all.js';
import { inContext } from './deadline.js';
import { inLanguage } from './language.js';
import { numbersOf, ownMessage, sayInOwnWords } from './own-words.js';

type Inputs = Record<string, string | number>;
const said = messages as unknown as Record<string, (inputs: Inputs) => string>;
const KEYS = Object.keys(OWN_MESSAGES['en'] ?? {});

/** Whatever a message may be given: numbers where it counts, else texts. */
const inputsOf = (key: string) => {
  const { plurals, placeholders } = ownMessage(key, 'en');
  const counted = [
    ...plurals.values(),
    ...[...placeholders].flatMap(([name, of]) => (name === of ? [] : of)),
  ];
  const text = fc.constantFrom('2026-03-21', '1.00 PLN', 'Zażółć', '{day}', '$&');
  return fc.record(
    Object.fromEntries([
      ...[...placeholders.values()].map((name) => [name, text] as const),
      ...counted.map((name) => [name, fc.nat({ max: 130 })] as const),
    ]),
  ) as fc.Arbitrary<Inputs>;
};

describe('words of the library’s own', () => {
  afterEach(() => sayInOwnWords({}));

  it.each(LANGUAGES)('that are the product’s say the same, whatever is counted: %s', (language) => {
    for (const key of KEYS) {
      const { forms } = ownMessage(key, language);
      forAll([inputsOf(key)], { numRuns: 25 }, (inputs) => {
        const usual = inLanguage(language, () => said[key]?.(inputs));
        const own = inLanguage(language, () =>
          inContext({ tried: { [language]: { [key]: forms } } }, () => said[key]?.(inputs)),
        );
        expect([key, own]).toEqual([key, usual]);
      });
    }
  });

  it('are said in their language alone, and where every form of the message has its text', () => {
    const rented = (count: number) => messages.letter_rented_subject({ count, day: '2026-03-07' });
    sayInOwnWords({
      pl: { letter_rented_subject: { 'form=one': 'Masz ją do {day}', 'form=*': 'Są do {day}' } },
    });
    expect(inLanguage('pl', () => [rented(1), rented(5)])).toEqual([
      'Masz ją do 2026-03-07',
      'Są do 2026-03-07',
    ]);
    expect(inLanguage('en', () => rented(1))).toBe('Your book waits for you until 2026-03-07');
    sayInOwnWords({ en: { letter_rented_subject: { 'form=one': 'It is here' } } });
    expect(inLanguage('en', () => [rented(1), rented(2)])).toEqual([
      'It is here',
      'Your books wait for you until 2026-03-07',
    ]);
  });

  it('are told with the numbers that each form is for', () => {
    const subject = ownMessage('letter_rented_subject', 'pl');
    const forms = Object.keys(subject.forms).map((form) => [form, numbersOf(form, subject, 'pl')]);
    expect(Object.fromEntries(forms)).toEqual({ 'form=one': { count: [1] }, 'form=*': { count: [2, 3, 4] } });
  });
});
