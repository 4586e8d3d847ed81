import { LANGUAGES } from '#contracts/languages.js';
import {
  USUAL_LETTERS,
  type LettersView,
  type LetterView,
  type OwnText,
} from '#contracts/library/own-words.js';
import { LetterOffice, QUICK_LETTERS } from '../../../test-support/mail/letter-office.js';
import { startProduct, type TestAccount } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';

const DAY = 24 * 3_600_000;
const RENTED = 'letter_rented_subject';

describe('letters in the library’s own words', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { jobs: QUICK_LETTERS }));
  const office = new LetterOffice(product, clock);
  const admin = shared(() => product.account('Admin'));

  const lettersOf = async () => (await admin.get('Library/letters')).body as LettersView;
  const letterOf = async (letter: string, language = 'en') =>
    (await admin.get(`Library/letters/${letter}?language=${language}`)).body as LetterView;
  const messageOf = async (letter: string, key: string, language = 'en') =>
    (await letterOf(letter, language)).cases
      .flatMap(({ messages }) => messages)
      .find((each) => each.key === key);
  const change = async (letter: string, language: string, words: Record<string, OwnText>) => {
    const { version } = await lettersOf();
    return admin.put(`Library/letters/${letter}`, { language, words, version });
  };
  const choose = async (choice: Partial<Pick<LettersView, 'overdue'> & { off: string[] }>) => {
    const { version } = await lettersOf();
    const { off, overdue } = USUAL_LETTERS;
    const answer = await admin.put('Library/letters', { off, overdue, ...choice, version });
    expect(answer.status).toBe(200);
  };
  const readsIn = (reader: TestAccount, language: string) => reader.put('Account/language', { language });

  it('are all listed, and each of their texts can be changed in each language', async () => {
    const { letters, papers } = await lettersOf();
    expect(letters.map(({ letter }) => letter)).toContain('fee-charged');
    expect(papers).toHaveLength(2);
    for (const { letter } of [...letters, ...papers]) {
      for (const language of LANGUAGES) {
        const { cases } = await letterOf(letter, language);
        const all = cases.flatMap(({ messages }) => messages);
        expect(all.length).toBeGreaterThan(0);
        const words = Object.fromEntries(
          all.map(({ key, forms, isLong }) => [
            key,
            Object.fromEntries(
              forms.map(({ form, usual }) => [form, isLong ? `**!** ${usual}` : `! ${usual}`]),
            ),
          ]),
        );
        for (const at of cases.keys()) {
          const { status, body } = await admin.post(`Library/letters/${letter}/preview`, {
            ...{ language, words, case: at },
          });
          expect([letter, status]).toEqual([letter, 200]);
          expect(body.html).toContain(letter === 'report' ? '!' : '<strong>!</strong>');
        }
      }
    }
  });

  it('go out in them to those who read their language, with what the letter is about', async () => {
    const message = await messageOf('books-rented', RENTED, 'pl');
    expect(message?.placeholders.map(({ name }) => name)).toEqual(['day']);
    const words = {
      [RENTED]: { 'form=one': 'Czeka do {day}!', 'form=*': 'Czekają do {day}!' },
      letter_rented_set_aside: {
        'form=one': '**Zapraszamy** <b>Zosię</b>.',
        'form=*': 'Zapraszamy.\n\nDziękujemy.',
      },
      letter_foot: { '': 'Napisz [do nas](mailto:wola@example.org) lub [tu](javascript:alert(1)).' },
    };
    expect((await change('books-rented', 'pl', words)).status).toBe(200);
    const reader = await product.account();
    await readsIn(reader, 'pl');
    await reader.post('Borrow/rent-books', { bookIds: [await product.book(1, 'Lalka')] });
    const [polish] = await office.letters(await office.emailOf(reader));
    expect(polish?.subject).toMatch(/^Czeka do \d{4}-\d\d-\d\d!$/);
    expect(polish?.html).toMatch(/<strong>Zapraszamy<\/strong> &lt;b&gt;Zosię&lt;\/b&gt;/);
    expect(polish?.html).toContain('href="mailto:wola@example.org"');
    expect(polish?.html).not.toContain('href="javascript');
    expect(polish?.text).toContain('Napisz [do nas](mailto:wola@example.org)');
    const borrow = await office.rent(['Lalka']);
    const [english] = await office.letters(borrow.email);
    expect(english?.subject).toMatch(/^Your book waits for you until/);
  });

  it('are put back to the product’s, whose texts count as none of one’s own', async () => {
    const message = await messageOf('books-rented', RENTED, 'pl');
    const usual = Object.fromEntries(message?.forms.map((each) => [each.form, each.usual]) ?? []);
    const { body } = await change('books-rented', 'pl', { [RENTED]: usual });
    expect(body.words).toEqual({});
    expect((await lettersOf()).letters.flatMap(({ own }) => own)).toEqual([]);
  });

  it.each([
    [
      'an unknown placeholder',
      { [RENTED]: { 'form=one': '{due}', 'form=other': 'x' } },
      `${RENTED}.form=one`,
      /\{due\}/,
    ],
    ['an empty subject', { [RENTED]: { 'form=one': '', 'form=other': 'x' } }, `${RENTED}.form=one`, /empty/],
    [
      'two lines',
      { [RENTED]: { 'form=one': 'x', 'form=other': 'x\ny' } },
      `${RENTED}.form=other`,
      /one line/,
    ],
    [
      'a long line',
      { [RENTED]: { 'form=one': 'x'.repeat(201), 'form=other': 'x' } },
      `${RENTED}.form=one`,
      /200/,
    ],
    ['a form that lacks', { [RENTED]: { 'form=one': 'x' } }, RENTED, /no such text/],
    ['another letter’s text', { letter_pay: { '': 'x' } }, 'letter_pay', /no such text/],
  ])('are refused by name with %s, and nothing is kept of them', async (_, words, field, told) => {
    const good = { letter_rented_heading: { 'form=one': 'Here', 'form=other': 'Here' } };
    const { status, body } = await change('books-rented', 'en', {
      ...good,
      ...(words as Record<string, OwnText>),
    });
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual([`words.${field}`]);
    expect(body.errors[`words.${field}`][0]).toMatch(told);
    expect((await letterOf('books-rented')).words).toEqual({});
  });

  it('are seen and tried before they are kept, about what has been', async () => {
    const borrow = await office.rent(['Ferdydurke']);
    await office.settled();
    const draft = {
      language: 'en',
      words: { [RENTED]: { 'form=one': 'Come by {day}', 'form=other': 'Come by {day}' } },
      case: 0,
    };
    const seen = await admin.post('Library/letters/books-rented/preview', draft);
    expect(seen.body).toMatchObject({ subject: expect.stringMatching(/^Come by 2/), isReal: true });
    expect(seen.body.html).toContain('Ferdydurke');
    const madeUp = await admin.post('Library/letters/loss-found/preview', { ...draft, words: {} });
    expect(madeUp.body).toMatchObject({ isReal: false });
    expect((await admin.post('Library/letters/books-rented/test', draft)).body).toEqual({ sent: true });
    const [mine] = await product.letters(await office.emailOf(admin));
    expect(mine?.subject).toMatch(/^Come by 2/);
    expect((await office.letters(borrow.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your book waits/),
    ]);
    expect((await letterOf('books-rented')).words).toEqual({});
  });

  it('are left unsent where the library has chosen so, but for those that must be sent', async () => {
    await choose({ off: ['books-rented'] });
    const quiet = await office.rent();
    await office.settled();
    expect(await office.letters(quiet.email)).toEqual([]);
    await choose({});
    expect(await office.letters((await office.rent()).email)).toHaveLength(1);
    const { version } = await lettersOf();
    const refused = await admin.put('Library/letters', {
      ...USUAL_LETTERS,
      off: ['reset-password'],
      version,
    });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['off']]);
  });

  it('are changed by who has seen the latest of them; the changes are listed', async () => {
    const { version } = await lettersOf();
    const words = { letter_pay_fee: { '': 'Pay now' } };
    const answers = await Promise.all(
      ['Pay now', 'Pay'].map((text) =>
        admin.put('Library/letters/fee-charged', {
          ...{ language: 'en', version },
          words: { ...words, letter_pay_fee: { '': text } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [{ changes } = { changes: [] }] = (await admin.get('Library/changes?pageNumber=1&pageSize=20')).body
      .items;
    expect(changes).toEqual([{ fact: 'letters', from: '', to: expect.stringMatching(/^Pay/) }]);
    expect((await admin.get('Library/letters/none?language=en')).status).toBe(404);
  });

  it('tell of a fee from as many days on, and as often, as the library has chosen', async () => {
    await choose({ overdue: { after: 3, every: 4 } });
    const borrow = await office.rent();
    await office.issue(borrow);
    await clock.forward(15 * DAY);
    for (let day = 1; day <= 9; day += 1) {
      await product.runJob('upkeep', 'sweep-borrows', {});
      await office.settled();
      await clock.forward(DAY);
    }
    const late = (await office.letters(borrow.email)).flatMap(
      ({ text }) => /Days late: (\d+)/.exec(text)?.[1] ?? [],
    );
    expect(late).toEqual(['3', '7']);
  });
});
