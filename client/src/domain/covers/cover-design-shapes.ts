/** A stamped shape: an SVG path in the cover's units, filled or drawn with a line. */
export interface CoverMark {
  d: string;
  fill?: string;
  stroke?: string;
  /** Of the line, in the cover's units. */
  width?: number;
}

export const COVER_WIDTH = 200;
export const COVER_HEIGHT = 300;

/** Rounds to a tenth: enough for a cover, and keeps the paths short. */
export const at = (value: number): number => Math.round(value * 10) / 10;

export const rect = (x: number, y: number, width: number, height: number): string =>
  `M${at(x)} ${at(y)}h${at(width)}v${at(height)}h${at(-width)}z`;

export const circle = (x: number, y: number, radius: number): string =>
  `M${at(x - radius)} ${at(y)}a${at(radius)} ${at(radius)} 0 1 0 ${at(radius * 2)} 0a${at(radius)} ${at(radius)} 0 1 0 ${at(-radius * 2)} 0z`;

export const lozenge = (x: number, y: number, width: number, height: number): string =>
  `M${at(x)} ${at(y - height / 2)}l${at(width / 2)} ${at(height / 2)}l${at(-width / 2)} ${at(height / 2)}l${at(-width / 2)} ${at(-height / 2)}z`;

export const polar = (x: number, y: number, radius: number, angle: number): [number, number] => [
  at(x + Math.cos(angle) * radius),
  at(y + Math.sin(angle) * radius),
];

/** A slice of a ring between two angles (radians). */
export function wedge(x: number, y: number, inner: number, outer: number, from: number, to: number): string {
  const [ax, ay] = polar(x, y, inner, from);
  const [bx, by] = polar(x, y, outer, from);
  const [cx, cy] = polar(x, y, outer, to);
  const [dx, dy] = polar(x, y, inner, to);
  return `M${ax} ${ay}L${bx} ${by}A${at(outer)} ${at(outer)} 0 0 1 ${cx} ${cy}L${dx} ${dy}A${at(inner)} ${at(inner)} 0 0 0 ${ax} ${ay}z`;
}

/** A pointed leaf from its foot, in the direction `angle`. */
export function leaf(x: number, y: number, length: number, breadth: number, angle: number): string {
  const [tx, ty] = polar(x, y, length, angle);
  const [mx, my] = polar(x, y, length * 0.45, angle);
  const [lx, ly] = polar(mx, my, breadth, angle - Math.PI / 2);
  const [rx, ry] = polar(mx, my, breadth, angle + Math.PI / 2);
  return `M${at(x)} ${at(y)}Q${lx} ${ly} ${tx} ${ty}Q${rx} ${ry} ${at(x)} ${at(y)}z`;
}

/** An arched doorway standing on `base`, with a round head. */
export function arch(x: number, base: number, width: number, height: number): string {
  const radius = width / 2;
  return `M${at(x - radius)} ${at(base)}V${at(base - height + radius)}a${at(radius)} ${at(radius)} 0 0 1 ${at(width)} 0V${at(base)}z`;
}

/** Where a text may stand, in the cover's units. */
export interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
  align: 'start' | 'middle';
  /** Where the lines go when they leave room. */
  sit: 'top' | 'middle' | 'bottom';
}

/** What a family makes: the pattern, what goes under the lettering, and where the lettering stands. */
interface Composition {
  pattern: CoverMark[];
  /** Label or frame: left out with the lettering when the cover is shown very small. */
  plate: CoverMark[];
  /** The part to show when the cover is a thumbnail: an SVG view box in the proportion of the cover. */
  glance: string;
  title: TextBox;
  author: TextBox;
  ink: string;
  /** How the title is set. */
  voice: 'roman' | 'italic' | 'capitals';
}

/**
 * A family of bindings: from a cloth and chance to a composition. Where the usual room would cut a title, labels and
 * skies are asked for so much `more` of it, in the cover's units.
 */
export type Family = (cloth: Cloth, chance: Chance, more?: number) => Composition;

/** The usual places: the title above the picture, the author at the foot. */
export const TITLE_ABOVE: TextBox = { x: 100, y: 26, width: 160, height: 92, align: 'middle', sit: 'top' };
export const AUTHOR_AT_FOOT: TextBox = {
  x: 100,
  y: 272,
  width: 164,
  height: 14,
  align: 'middle',
  sit: 'bottom',
};

/** A binding: the cloth, the foil that is stamped into it, and a second colour for bands, papers and inlays. */
export interface Cloth {
  name: string;
  ground: string;
  stamp: string;
  second: string;
}

/** The paper of a pasted label, and its ink. */
export const LABEL_PAPER = '#f3ebd9';
export const LABEL_INK = '#2b231d';

export const CLOTHS: readonly Cloth[] = [
  { name: 'oxblood', ground: '#6a2026', stamp: '#e8c68a', second: '#9c4540' },
  { name: 'bottle', ground: '#1e4235', stamp: '#e2cd97', second: '#3f725b' },
  { name: 'indigo', ground: '#233253', stamp: '#e3d3ab', second: '#4c6699' },
  { name: 'mustard', ground: '#cf9c3c', stamp: '#2c1e14', second: '#a5632a' },
  { name: 'linen', ground: '#dccfb6', stamp: '#2d2a27', second: '#a9402f' },
  { name: 'brick', ground: '#a5462f', stamp: '#f8e8d0', second: '#6d2a20' },
  { name: 'slate', ground: '#435a69', stamp: '#f3ead7', second: '#d49a55' },
  { name: 'aubergine', ground: '#45283f', stamp: '#e9caa6', second: '#8b5370' },
  { name: 'duck egg', ground: '#aec5bc', stamp: '#1d3336', second: '#b6583c' },
  { name: 'soot', ground: '#2c2a28', stamp: '#dfcda8', second: '#a4402f' },
  { name: 'olive', ground: '#545430', stamp: '#f0e2b9', second: '#a58838' },
  { name: 'petrol', ground: '#1b4c55', stamp: '#f2dfba', second: '#c9714c' },
  { name: 'rose', ground: '#d3a79e', stamp: '#43192a', second: '#8e3b48' },
  { name: 'ivory', ground: '#efe7d5', stamp: '#1f3858', second: '#b9483a' },
  { name: 'stone', ground: '#b9b2a3', stamp: '#262a2e', second: '#4f6d6a' },
  { name: 'tobacco', ground: '#6b4a2f', stamp: '#f1ddb6', second: '#a7733d' },
];

/** The colour between two, `share` of the way from the first; both as `#rrggbb`. */
export function between(from: string, to: string, share: number): string {
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) =>
    Math.round(channel(from, at) + (channel(to, at) - channel(from, at)) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}

/** A repeatable source of chance: the same seed gives the same sequence, on every machine. */
export interface Chance {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** A number from `low` to `high`. */
  within(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** A number from a text (FNV-1a): steady across machines and versions. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** mulberry32, seeded by the hash of a text. */
export function chanceOf(seed: string): Chance {
  let state = hashOf(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    whole: (low, high) => low + Math.floor(next() * (high - low + 1)),
    within: (low, high) => low + next() * (high - low),
    pick: (items) => {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}
