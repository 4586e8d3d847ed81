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
