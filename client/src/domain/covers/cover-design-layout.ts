import type { Cloth } from './cover-design-cloths.js';
import type { Chance } from './cover-design-seed.js';
import type { CoverMark } from './cover-design-shapes.js';

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
export interface Composition {
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
