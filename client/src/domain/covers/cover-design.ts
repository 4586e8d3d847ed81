import {
  chanceOf,
  CLOTHS,
  hashOf,
  type Cloth,
  type Family,
  type TextBox,
  type CoverMark,
} from './cover-design-shapes.js';
import { isCut, setText, splitTitle, textWidth } from './cover-design-lettering.js';
import {
  diaperPaper,
  leafPaper,
  scallopPaper,
  stripedPaper,
  tiled,
  zigzagPaper,
} from './cover-design-papers.js';
import { heavens, roundel, spineRule, sprig } from './cover-design-ornaments.js';
import { arches, bands, terrain } from './cover-design-pictures.js';
import {
  checkPaper,
  dottedPaper,
  facets,
  frames,
  phases,
  rays,
  ripples,
  shelf,
  starPaper,
  trellisPaper,
  wavePaper,
  windows,
  wovenPaper,
} from './cover-design-prints.js';

/** What a cover is drawn from. The same book gives the same cover: on a card, in a list, in print, in a mail. */
export interface CoverSubject {
  id: number;
  title: string;
  /** Full names, in the order of the title page. */
  authors: readonly string[];
  /** The first genre's name; empty where there is none. */
  genre: string;
}

/** A line of lettering; lengths in the cover's units (200 by 300). `y` is the baseline. */
interface CoverText {
  text: string;
  x: number;
  y: number;
  size: number;
  anchor: 'start' | 'middle';
  colour: string;
  italic: boolean;
  /** Extra space after each letter, in the cover's units. */
  tracking: number;
}

/** A cover, ready to be drawn as SVG: ground, then pattern, then plate, then lettering. */
export interface CoverDesign {
  family: string;
  cloth: Cloth;
  pattern: CoverMark[];
  plate: CoverMark[];
  lettering: CoverText[];
  /** What a thumbnail shows, without plate and lettering: an SVG view box. */
  glance: string;
}

export const FAMILIES: Readonly<Record<string, Family>> = {
  bands,
  roundel,
  sprig,
  'diaper paper': diaperPaper,
  arches,
  tiled,
  terrain,
  'leaf paper': leafPaper,
  'spine rule': spineRule,
  'scallop paper': scallopPaper,
  heavens,
  'striped paper': stripedPaper,
  'zigzag paper': zigzagPaper,
  shelf,
  'dotted paper': dottedPaper,
  rays,
  'check paper': checkPaper,
  frames,
  'wave paper': wavePaper,
  windows,
  'trellis paper': trellisPaper,
  ripples,
  'star paper': starPaper,
  facets,
  'woven paper': wovenPaper,
  phases,
};

/** What suits a subject; of a genre that is not named here, all. Of each the papers stand between the others. */
const SUITED: readonly (readonly [RegExp, string])[] = [
  [
    /scien|astro|physic|math|techn|space|comput/i,
    'heavens, dotted paper, tiled, check paper, roundel, zigzag paper, terrain, phases, facets, rays',
  ],
  [
    /natur|garden|biolog|travel|cook|adventur/i,
    'sprig, leaf paper, terrain, wave paper, bands, trellis paper, roundel, woven paper, ripples, rays',
  ],
  [
    /poe|romanc|drama|play/i,
    'leaf paper, frames, scallop paper, sprig, striped paper, phases, diaper paper, ripples, star paper, roundel',
  ],
  [
    /histor|biograph|memoir|philos|relig|law/i,
    'spine rule, diaper paper, arches, woven paper, bands, striped paper, frames, trellis paper, shelf, windows',
  ],
  [
    /fantas|myth|fairy|child/i,
    'heavens, scallop paper, arches, star paper, sprig, dotted paper, roundel, facets, phases, rays',
  ],
  [
    /crime|thrill|myster|horror|detect/i,
    'bands, zigzag paper, tiled, check paper, windows, striped paper, roundel, spine rule, facets, shelf',
  ],
];

/** Family and cloth: what makes two covers look alike. */
export interface Binding {
  family: string;
  cloth: Cloth;
}

/**
 * How a book is bound, by its number: books with numbers near each other, so many as there are families and cloths, all differently.
 * @param other 0 for how it is bound wherever it stands alone; then its other cloths, one after the other
 */
function bindingOf({ id, genre }: CoverSubject, other: number): Binding {
  const suited = SUITED.find(([pattern]) => pattern.test(genre))?.[1].split(', ') ?? Object.keys(FAMILIES);
  const start = hashOf(`cloth ${genre}`);
  const [place, round] = [id % suited.length, Math.floor(id / suited.length)];
  const cloth = CLOTHS[(start + place * 7 + round * 5 + other * 3) % CLOTHS.length];
  const family = suited[place];
  if (!cloth || family === undefined) throw new RangeError(`no binding for ${id}`);
  return { family, cloth };
}

/**
 * How books that stand beside each other are bound: each as it always is, unless one before it is bound in the same motif and cloth; then
 * in another cloth.
 * @returns the bindings in the order of the books
 */
export function bindingsOf(subjects: readonly CoverSubject[]): Binding[] {
  const taken = new Set<string>();
  return subjects.map((subject) => {
    const ways = CLOTHS.map((_, other) => bindingOf(subject, other));
    const nameOf = ({ family, cloth }: Binding) => `${family} ${cloth.name}`;
    const chosen = ways.find((way) => !taken.has(nameOf(way))) ?? bindingOf(subject, 0);
    taken.add(nameOf(chosen));
    return chosen;
  });
}

/** Draws the cover of a book: pure, and the same for the same subject. */
export function designCover(subject: CoverSubject, binding = bindingOf(subject, 0)): CoverDesign {
  return drawCover(subject, binding.family, binding.cloth);
}

/** Draws a cover in a given family and cloth. */
export function drawCover(subject: CoverSubject, family: string, cloth: Cloth): CoverDesign {
  const compose = FAMILIES[family] ?? bands;
  const drawn = (more: number) => {
    const chance = chanceOf(`${family} ${subject.genre} ${subject.id}`);
    const { title, author, ink, voice, pattern, plate, glance } = compose(cloth, chance, more);
    const { isWhole, lines } = titleLines(subject.title, title, ink, voice);
    const lettering = [...lines, ...authorLine(subject.authors, author, ink)];
    return { isWhole, design: { family, cloth, pattern, plate, glance, lettering } };
  };
  const usual = drawn(0);
  if (usual.isWhole) return usual.design;
  const roomier = MORE_ROOM.map(drawn).find(({ isWhole }) => isWhole);
  return (roomier ?? usual).design;
}

/** By how much the room of a title may be higher where it needs that, in the cover's units. */
const MORE_ROOM = [20, 40, 60];

function titleLines(
  title: string,
  box: TextBox,
  ink: string,
  voice: 'roman' | 'italic' | 'capitals',
): { lines: CoverText[]; isWhole: boolean } {
  const { main, sub } = splitTitle(title);
  const capitals = voice === 'capitals' && main.length <= 26;
  const tracking = capitals ? 0.05 : 0;
  const leading = capitals ? 1.16 : 1.06;
  const sizes = capitals ? [24, 21, 18.5, 16, 14, 12.5] : [32, 29, 26, 23, 20.5, 18, 16, 14, 12.5];
  const set = (subRoom: number) => {
    const measure = { width: box.width, height: box.height - subRoom, leading, tracking, sizes };
    const headline = setText(capitals ? main.toLocaleUpperCase('en') : main, measure);
    const left = box.height - headline.lines.length * headline.size * leading - 6;
    const measureSub = { width: box.width, height: Math.max(24, left), sizes: [11, 10], leading: 1.15 };
    return { head: headline, tail: sub === '' ? null : setText(sub, measureSub) };
  };
  // The subtitle gets more room, and the title less, before either of them is cut.
  const rooms = sub === '' ? [0] : [26, 40, 54, 68];
  const ways = rooms.map(set);
  const whole = ways.find((way) => !isCut(way.head, main) && !(way.tail && isCut(way.tail, sub)));
  const { head, tail } = whole ?? set(rooms[0] ?? 0);

  const headHeight = head.lines.length * head.size * leading;
  const tailHeight = tail ? 6 + tail.lines.length * tail.size * 1.15 : 0;
  const spare = Math.max(0, box.height - headHeight - tailHeight);
  let y = box.y + (box.sit === 'middle' ? spare / 2 : box.sit === 'bottom' ? spare : 0);
  const texts: CoverText[] = [];
  const add = (text: string, size: number, lead: number, italic: boolean, track: number) => {
    y += size * lead;
    const baseline = Math.round((y - size * (lead - 0.82)) * 10) / 10;
    texts.push({
      text,
      x: box.x,
      y: baseline,
      size,
      anchor: box.align,
      colour: ink,
      italic,
      tracking: track,
    });
  };
  for (const line of head.lines) add(line, head.size, leading, voice === 'italic', tracking * head.size);
  y += 6;
  for (const line of tail?.lines ?? []) add(line, tail?.size ?? 10, 1.15, true, 0);
  return { lines: texts, isWhole: whole !== undefined };
}

const AUTHOR_TRACKING = 0.09;

function authorLine(authors: readonly string[], box: TextBox, ink: string): CoverText[] {
  const sizes = [10, 9, 8.2];
  const measure = { width: box.width, leading: 1.2, tracking: AUTHOR_TRACKING };
  for (const name of waysToName(authors)) {
    const text = name.toLocaleUpperCase('en');
    const size = sizes.find((each) => textWidth(text, each, AUTHOR_TRACKING) <= box.width);
    if (size) return [authorText(text, size, box, ink)];
  }
  const names = waysToName(authors).map((name) => name.toLocaleUpperCase('en'));
  for (const small of [7.4, 6.8, 6.2, 5.6, 5]) {
    const fitting = names.find((name) => textWidth(name, small, AUTHOR_TRACKING) <= box.width);
    if (fitting !== undefined) return [authorText(fitting, small, box, ink)];
  }
  const size = 7.4;
  const shortest = names.at(-1) ?? '';
  if (shortest === '') return [];
  const [line = ''] = setText(shortest, { ...measure, height: size * 1.3, sizes: [size] }).lines;
  return [authorText(line, size, box, ink)];
}

function authorText(text: string, size: number, box: TextBox, ink: string): CoverText {
  return {
    text,
    x: box.x,
    y: box.y + box.height - 3,
    size,
    anchor: box.align,
    colour: ink,
    italic: false,
    tracking: Math.round(size * AUTHOR_TRACKING * 100) / 100,
  };
}

/** How the authors can stand on a cover, the fullest way first. */
function waysToName(authors: readonly string[]): string[] {
  const [first, second] = authors;
  if (first === undefined || first === '') return [];
  const surname = (name: string) => name.split(' ').at(-1) ?? name;
  const initialed = first.replace(/^(\p{L})[^\s.]*\s+(?=\S)/u, '$1. ');
  if (authors.length > 2)
    return [`${first} and others`, `${surname(first)} and others`, `${surname(first)} et al.`];
  if (second !== undefined) {
    return [`${first} & ${second}`, `${surname(first)} & ${surname(second)}`, `${surname(first)} et al.`];
  }
  return [first, initialed, first.split(' ').slice(1).join(' ') || first, surname(first)];
}
