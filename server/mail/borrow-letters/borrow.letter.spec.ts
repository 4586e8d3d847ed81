import type { BorrowLetter } from './borrow-letter.decider.js';
import { MADE_UP } from '../own-letters/letters.js';
import { borrowLetter } from './borrow.letter.js';

const TO = {
  firstname: 'Zofia',
  site: 'https://library.example.org',
  library: 'Lectern',
  timeZone: 'UTC',
  reminderDays: 2,
  overdueDays: 7,
};
const titles = ['Solaris', 'Lalka'];

const LETTERS: BorrowLetter[] = Object.values(MADE_UP).flat();

describe('a letter about a borrow', () => {
  it.each(LETTERS)('$kind says the same in both forms, and leads to the library alone', (letter) => {
    const { subject, html, text } = borrowLetter(letter, TO);
    const seen = html.replace(/<style.*?<\/style>|<title>.*?<\/title>/gs, '').replace(/<[^>]+>/g, '\n');
    for (const line of text.split('\n').filter((each) => each !== '' && each !== '-- ')) {
      const parts = /^[\w ]+: \S/.test(line) ? line.split(/: (.*)/s).filter((part) => part !== '') : [line];
      for (const part of parts) expect(seen).toContain(part.replace(/^- |:$/g, ''));
    }
    for (const title of letter.titles) expect(text).toContain(`\n- ${title}\n`);
    const links = [...`${html} ${text}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link);
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) expect(link).toMatch(/^https:\/\/library\.example\.org\/#\/(profile|catalog)$/);
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|url\(|@import/);
    expect(subject).not.toMatch(/[\r\n]/);
    expect([...text.matchAll(/\d{4}-\d\d-\d\d/g)].length).toBeGreaterThan(0);
  });

  it.each(LETTERS)('$kind lets no title and no name be anything but text', (letter) => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '"><a href="https://evil.example">x</a>',
      'One\r\n\r\nDear reader,',
    ];
    const { html, text, subject } = borrowLetter(
      { ...letter, titles: hostile },
      { ...TO, firstname: '<script>', library: 'Books & <More>' },
    );
    expect(html).not.toMatch(/<img|<script|href="https:\/\/evil|<More>/);
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).toContain('Dear reader,');
    expect(text).toContain('- One Dear reader,\n');
    expect(subject).not.toContain('<');
  });

  it('speaks of one book as of one', () => {
    for (const letter of LETTERS) {
      const { text, subject } = borrowLetter(
        {
          ...letter,
          titles: ['Solaris'],
          ...(letter.kind === 'fee-paid' && {
            toReturn: ['Solaris'],
            late: { titles: ['Solaris'], days: 3 },
          }),
        },
        TO,
      );
      const own = `${subject}\n${text}`.replaceAll('renew books', '').replaceAll('books are taken back', '');
      expect(own).not.toMatch(/\b(?:books|them|copies)\b/);
    }
  });

  it('says of a reserved book who has its copy, and never that it is on the shelf for anybody', () => {
    const reserved = LETTERS.filter((letter) => /reserv/.test(borrowLetter(letter, TO).text));
    expect(reserved.map(({ kind }) => kind)).toEqual([
      'books-rented',
      'books-rented',
      'borrow-expired',
      'rent-cancelled',
      'rent-cancelled',
      'hold-cancelled',
      'hold-not-needed',
    ]);
    const texts = reserved.map((letter) => borrowLetter({ ...letter, titles: ['Solaris'] }, TO).text);
    const [, another, lapsed, setBack, givenUp, cancelled, notNeeded] = texts;
    expect(another).toContain('Another copy of the book you reserved is here');
    expect(lapsed).toContain('the copy went to the next reader in line, or back to the shelf');
    expect(setBack).toContain('You are back in your place in line');
    expect(givenUp).toContain('You have cancelled since');
    expect(cancelled).toContain('The library cancelled your reservation of the following book');
    expect(notNeeded).toContain('You named 2026-03-07 as the last day on which you need the following book');
    for (const text of texts) expect(text).not.toMatch(/rent it again|for others to borrow/);
  });

  it('says where a fee was paid', () => {
    const receipt = MADE_UP['fee-paid'][0] as Extract<BorrowLetter, { kind: 'fee-paid' }>;
    expect(borrowLetter(receipt, TO).text).toContain('Paid: at the desk\n');
    expect(borrowLetter({ ...receipt, atDesk: false }, TO).text).toContain('Paid: online\n');
  });

  it('names the one book that a receipt is for where it was damaged', () => {
    const receipt = MADE_UP['fee-paid'][0] as Extract<BorrowLetter, { kind: 'fee-paid' }>;
    const damaged = { title: 'Lalka', as: 'damaged' as const };
    const { late: _none, ...paid } = receipt;
    const { text } = borrowLetter({ ...paid, titles: ['Lalka'], losses: [damaged], toReturn: [] }, TO);
    expect(text).toContain('For: Damaged book: Lalka\n');
    expect(text).not.toMatch(/Late fee|Please bring/);
  });

  it('names a part as a part, and what remains', () => {
    const receipt = MADE_UP['fee-paid'][0] as Extract<BorrowLetter, { kind: 'fee-paid' }>;
    const { subject, text } = borrowLetter({ ...receipt, due: 700 }, TO);
    expect(subject).toBe('Receipt: 3.00 PLN paid on 2026-03-25, 7.00 PLN still to pay');
    expect(text).toMatch(/a part of your fee is paid[^]*a part of what is due[^]*Still to pay: 7\.00 PLN/);
    expect(text).not.toContain('nothing else you need to do');
    expect(borrowLetter(receipt, TO).text).toContain('For: Late fee, 3 days late: 2 books\n');
    const both = { ...receipt, losses: [{ title: 'Lalka', as: 'lost' as const }] };
    expect(borrowLetter(both, TO).text).toContain(
      `3 days late: ${titles.join(', ')}\nFor: Lost book: Lalka\n`,
    );
  });

  it('names the fee: how much, for which days, what for each, and the most it can be', () => {
    const { text, subject } = borrowLetter(
      { ...MADE_UP['fee-charged'][0], waived: 0, due: 200 } as BorrowLetter,
      TO,
    );
    expect(subject).toContain('2.00 PLN');
    for (const fact of [
      'Days late: 3',
      'Fee per day: 1.00 PLN (2 books)',
      'Charged so far: 3.00 PLN',
      'Paid so far: 1.00 PLN',
      'To pay now: 2.00 PLN',
      'up to 50.00 PLN',
    ])
      expect(text).toContain(fact);
  });
});
