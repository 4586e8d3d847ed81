import fc from 'fast-check';
import { forAll } from '../../../../test-support/arbitraries/for-all.js';
import { CLOTHS, LABEL_INK, LABEL_PAPER } from './cover-design-shapes.js';
import { bindingsOf, designCover, drawCover, FAMILIES, type CoverSubject } from './cover-design.js';
import { setText, splitTitle, textWidth } from './cover-design-lettering.js';

const dune: CoverSubject = { id: 7, title: 'Dune', authors: ['Frank Herbert'], genre: 'Science Fiction' };

const LONG_TITLE =
  'On the Origin of Species by Means of Natural Selection, or the Preservation of Favoured Races in the Struggle for Life';

/** Contrast of two colours as WCAG counts it. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe('the cover of a book', () => {
  it('is the same every time', () => {
    expect(designCover(dune)).toEqual(designCover({ ...dune }));
  });

  it('differs from its neighbours of the same genre', () => {
    for (let id = 1; id < 60; id += 1) {
      const [one, next] = [designCover({ ...dune, id }), designCover({ ...dune, id: id + 1 })];
      expect(one.family).not.toBe(next.family);
    }
  });

  it('is drawn from 26 motifs, and no two of the books that came one after the other are alike', () => {
    expect(Object.keys(FAMILIES)).toHaveLength(26);
    const came = Array.from({ length: 160 }, (_, index) => designCover({ ...dune, id: 3_000 + index }));
    expect(new Set(came.map(({ family, cloth }) => `${family} ${cloth.name}`)).size).toBe(160);
  });

  it('is bound otherwise only beside one of its motif and cloth, and then no two are alike', () => {
    const genres = ['', 'History', 'Fantasy', 'Poetry', 'Crime'];
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 16 });
    forAll([ids, fc.constantFrom(...genres)], { numRuns: 300 }, (numbers, genre) => {
      const subjects = numbers.map((id) => ({ ...dune, id, genre }));
      const names = bindingsOf(subjects).map(({ family, cloth }) => `${family} ${cloth.name}`);
      expect(new Set(names).size).toBe(subjects.length);
      const alone = subjects.map((subject) => designCover(subject));
      names.forEach((name, at) => {
        const own = `${alone[at]?.family} ${alone[at]?.cloth.name}`;
        if (name !== own) expect(names.slice(0, at)).toContain(own);
        expect(name.startsWith(alone[at]?.family ?? '?')).toBe(true);
      });
    });
  });

  it('makes a varied shelf: many families and cloths, and hardly two covers alike', () => {
    const genres = ['Fiction', 'History', 'Science', 'Poetry', 'Crime', 'Biology'];
    const shelf = genres.flatMap((genre) =>
      Array.from({ length: 40 }, (_, index) => designCover({ ...dune, genre, id: index + 1 })),
    );
    expect(new Set(shelf.map((cover) => cover.family)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(shelf.map((cover) => cover.cloth.name)).size).toBe(CLOTHS.length);
    expect(new Set(shelf.map((cover) => `${cover.family} ${cover.cloth.name}`)).size).toBeGreaterThan(100);
  });

  const [cloth = undefined as never] = CLOTHS;
  const lettersOf = (subject: Partial<CoverSubject>, family: string, on = cloth) =>
    drawCover({ ...dune, ...subject }, family, on).lettering;

  it.each(Object.keys(FAMILIES))('holds every lettering of the family %s within the board', (family) => {
    const short = ['It', 'Dune', 'Pride and Prejudice', 'Ślepowidzenie', '戦争と平和'];
    const authors = [[], ['Gabriel García Márquez'], ['A B', 'C D'], ['Wolfeschlegelsteinhausenberger Q']];
    const subjects = [...short, LONG_TITLE, 'X'.repeat(80)].flatMap((title) =>
      authors.map((each) => ({ title, authors: each })),
    );
    const lines = subjects.flatMap((subject) =>
      CLOTHS.slice(0, 3).flatMap((on) => lettersOf(subject, family, on)),
    );
    for (const line of lines) {
      const width = textWidth(line.text, line.size, line.tracking / line.size);
      const left = line.anchor === 'middle' ? line.x - width / 2 : line.x;
      expect([line.text, left >= 8 && left + width <= 196]).toEqual([line.text, true]);
      expect(line.y).toBeGreaterThan(line.size * 0.7);
      expect(line.y).toBeLessThan(292);
    }
  });

  it.each(Object.keys(FAMILIES))('cuts none of these titles and surnames in the family %s', (family) => {
    const titles = [
      'Slaughterhouse-Five',
      'Cinderella Ate My Daughter: Dispatches from the Frontlines of the New Girlie-Girl Culture',
      "Good to Great: Why Some Companies Make the Leap... and Others Don't",
      'The Power of Full Engagement: Managing Energy, Not Time, Is the Key to High Performance and Personal Renewal',
      "Bright Lights, Big Ass: A Self-Indulgent, Surly, Ex-Sorority Girl's Guide to Why It Often Sucks in the City, or Who Are These Idiots and Why Do They All Live Next Door to Me?",
      'The Art Spirit: Notes, Articles, Fragments of Letters and Talks to Students, Bearing on the Concept and Technique of Picture Making, the Study of Art (Icon Editions)',
    ].map((title) => ({ title }));
    const names = ['Sarah Blakley-Cartwright', 'HaveYouSeenThisGirL'].map((name) => ({ authors: [name] }));
    const cut = [...titles, ...names].flatMap((subject) => lettersOf(subject, family));
    expect(cut.filter(({ text }) => text.endsWith('…'))).toEqual([]);
  });

  it.each(CLOTHS)('stamps a foil that can be read on $name', ({ ground, stamp }) => {
    expect(contrast(ground, stamp)).toBeGreaterThanOrEqual(4.5);
  });

  it('prints labels that can be read', () => {
    expect(contrast(LABEL_PAPER, LABEL_INK)).toBeGreaterThanOrEqual(7);
  });

  it('shows a part of the board, in its proportion, as a thumbnail', () => {
    for (const family of Object.keys(FAMILIES)) {
      const [, , width = 0, height = 0] = drawCover(dune, family, cloth).glance.split(' ').map(Number);
      expect(height / width).toBeCloseTo(1.5, 1);
    }
  });
});

describe('lettering', () => {
  const measure = { width: 160, height: 80, sizes: [32, 24, 18, 12], leading: 1.1 };

  it('sets a short title large, on one line', () => {
    expect(setText('Dune', measure)).toEqual({ lines: ['Dune'], size: 32 });
  });

  it('balances lines instead of filling them', () => {
    expect(setText('The Left Hand of Darkness', measure).lines).toEqual(['The Left Hand', 'of Darkness']);
  });

  it('prefers a smaller size to one very short line', () => {
    expect(setText('One Hundred Years of Solitude', { ...measure, sizes: [30, 27, 24, 21] }).lines).toEqual([
      'One Hundred',
      'Years of Solitude',
    ]);
  });

  it('ends what cannot fit with an ellipsis', () => {
    const { lines, size } = setText(LONG_TITLE, { ...measure, height: 14 });
    expect(size).toBe(12);
    expect(lines).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/…$/);
  });

  it('breaks at a hyphen, then sets smaller, before it cuts', () => {
    const narrow = { ...measure, width: 90, sizes: [18, 16] };
    expect(setText('Slaughterhouse-Five', narrow)).toEqual({ lines: ['Slaughterhouse-', 'Five'], size: 11 });
    expect(setText('Internationalisation', { ...narrow, height: 20 }).lines).toEqual([
      'Internationalisation',
    ]);
  });

  it('sets a subtitle apart', () => {
    expect(splitTitle('A Brief History of Time: From the Big Bang')).toEqual({
      main: 'A Brief History of Time',
      sub: 'From the Big Bang',
    });
    expect(splitTitle('Dune')).toEqual({ main: 'Dune', sub: '' });
  });
});
