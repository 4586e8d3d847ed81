import {
  arch,
  at,
  AUTHOR_AT_FOOT,
  between,
  circle,
  COVER_HEIGHT,
  COVER_WIDTH,
  lozenge,
  rect,
  TITLE_ABOVE,
  wedge,
  type Chance,
  type Cloth,
  type CoverMark,
  type Family,
} from './cover-design-shapes.js';
import { labelled } from './cover-design-papers.js';

/** Points of a grid of which every other row is moved by half a step. */
function staggered(step: number, rise: number): [number, number][] {
  const points: [number, number][] = [];
  for (let row = 0; row * rise <= COVER_HEIGHT + rise; row += 1) {
    for (let column = 0; column * step <= COVER_WIDTH + step; column += 1)
      points.push([column * step - (row % 2) * (step / 2), row * rise]);
  }
  return points;
}

const all = (points: readonly [number, number][], shape: (x: number, y: number) => string) =>
  points.map(([x, y]) => shape(x, y)).join('');

export const dottedPaper = labelled((cloth, chance) => {
  const points = staggered(chance.pick([25, 40]), chance.pick([20, 25]));
  return [
    { d: all(points, (x, y) => circle(x, y, 7)), fill: cloth.second },
    { d: all(points, (x, y) => circle(x, y, 2.6)), fill: cloth.stamp },
  ];
});

export const starPaper = labelled((cloth, chance) => {
  const points = staggered(40, chance.pick([25, 37.5]));
  const star = (size: number) => (x: number, y: number) =>
    `M${x} ${at(y - size)}Q${x} ${y} ${at(x + size)} ${y}Q${x} ${y} ${x} ${at(y + size)}Q${x} ${y} ${at(x - size)} ${y}Q${x} ${y} ${x} ${at(y - size)}z`;
  return [
    { d: all(points, star(15)), fill: cloth.stamp },
    { d: all(points, (x, y) => circle(x + 20, y, 2.4)), fill: cloth.second },
  ];
});

export const checkPaper = labelled((cloth, chance) => {
  const step = chance.pick([25, 40, 50]);
  const [down, across, both]: [string[], string[], string[]] = [[], [], []];
  for (let x = 0; x < COVER_WIDTH; x += step) down.push(rect(x, 0, step / 2, COVER_HEIGHT));
  for (let y = 0; y < COVER_HEIGHT; y += step) {
    across.push(rect(0, y, COVER_WIDTH, step / 2));
    for (let x = 0; x < COVER_WIDTH; x += step) both.push(rect(x, y, step / 2, step / 2));
  }
  return [
    { d: down.join('') + across.join(''), fill: between(cloth.ground, cloth.second, 0.5) },
    { d: both.join(''), fill: cloth.second },
  ];
});

export const wavePaper = labelled((cloth, chance) => {
  const marks: CoverMark[] = [];
  const swing = chance.pick([6, 10]);
  for (let row = 0; row <= 21; row += 1) {
    let d = `M-20 ${row * 15}`;
    for (let x = -20; x < COVER_WIDTH; x += 40) d += `q10 ${-swing * 2} 20 0t20 0`;
    marks.push({ d, stroke: row % 2 === 0 ? cloth.second : cloth.stamp, width: row % 2 === 0 ? 5 : 1.6 });
  }
  return marks;
});

export const trellisPaper = labelled((cloth, chance) => {
  const step = chance.pick([30, 40]);
  const [broad, fine]: [string[], string[]] = [[], []];
  for (let from = -COVER_HEIGHT; from < COVER_WIDTH + COVER_HEIGHT; from += step) {
    for (const slope of [-1, 1]) {
      const line = (shift: number) => `M${from + shift} 0l${slope * COVER_HEIGHT} ${COVER_HEIGHT}`;
      broad.push(line(0));
      fine.push(line(6));
    }
  }
  return [
    { d: broad.join(''), stroke: cloth.second, width: 4 },
    { d: fine.join(''), stroke: cloth.stamp, width: 1 },
  ];
});

/** Strips laid over and under each other, as in a basket. */
export const wovenPaper = labelled((cloth, chance) => {
  const [lying, standing]: [string[], string[]] = [[], []];
  const size = chance.pick([25, 40]);
  for (let row = 0; row * size < COVER_HEIGHT; row += 1) {
    for (let column = 0; column * size < COVER_WIDTH; column += 1) {
      for (const strip of [0.1, 0.42, 0.74]) {
        const [x, y] = [column * size, row * size];
        if ((row + column) % 2 === 0) lying.push(rect(x, y + strip * size, size, size * 0.18));
        else standing.push(rect(x + strip * size, y, size * 0.18, size));
      }
    }
  }
  return [
    { d: lying.join(''), fill: cloth.stamp },
    { d: standing.join(''), fill: cloth.second },
  ];
});

const tonesOf = (cloth: Cloth) => [
  cloth.stamp,
  cloth.second,
  between(cloth.ground, cloth.second, 0.45),
  between(cloth.second, cloth.stamp, 0.45),
];

/** A drawing below the title. */
function pictured(
  draw: (cloth: Cloth, chance: Chance) => CoverMark[],
  glance: string,
  place: Partial<Pick<ReturnType<Family>, 'title' | 'author'>> = {},
): Family {
  return (cloth, chance) => ({
    pattern: draw(cloth, chance),
    plate: [],
    glance,
    title: { ...TITLE_ABOVE, height: 92 },
    author: { ...AUTHOR_AT_FOOT, y: 126 },
    ink: cloth.stamp,
    voice: chance.pick(['roman', 'italic']),
    ...place,
  });
}

/** The spines of books on a board. */
export const shelf = pictured((cloth, chance) => {
  const tones = tonesOf(cloth);
  const marks: CoverMark[] = [{ d: rect(0, 276, COVER_WIDTH, 5), fill: cloth.stamp }];
  for (let x = 14; x < 178;) {
    const [width, height] = [chance.pick([10, 14, 18, 22]), chance.whole(84, 124)];
    const tone = chance.whole(0, 3);
    marks.push({ d: rect(x, 276 - height, width, height), fill: tones[tone] ?? cloth.second });
    const band = tone === 0 ? cloth.second : cloth.stamp;
    marks.push({ d: rect(x, 288 - height, width, 3) + rect(x, 258, width, 3), fill: band });
    x += width + chance.pick([1.5, 1.5, 9]);
  }
  return marks;
}, '30 130 110 165');

/** The lit windows of a house by night. */
export const windows = pictured((cloth, chance) => {
  const [lit, dark]: [string[], string[]] = [[], []];
  const columns = chance.pick([4, 5, 6]);
  const step = 168 / columns;
  for (let row = 0; row < 4; row += 1) {
    for (let column = 0; column < columns; column += 1)
      (chance.next() < 0.4 ? lit : dark).push(
        arch(16 + step * (column + 0.5), 186 + row * 34, step * 0.62, 26),
      );
  }
  return [
    { d: dark.join(''), fill: cloth.second },
    { d: lit.join(''), fill: cloth.stamp },
  ];
}, '20 150 100 150');

/** Rays that rise from the foot of the board. */
export const rays = pictured((cloth, chance) => {
  const tones = tonesOf(cloth);
  const count = chance.pick([9, 11, 13]);
  const step = Math.PI / count;
  const marks: CoverMark[] = [];
  for (let ray = 0; ray < count; ray += 1) {
    const [from, to] = [Math.PI + ray * step, Math.PI + (ray + 1) * step];
    marks.push({
      d: wedge(100, 300, 46, ray % 2 === 0 ? 150 : 132, from, to),
      fill: tones[ray % 2 === 0 ? 1 : 2] ?? cloth.second,
    });
  }
  marks.push({ d: circle(100, 300, 38), fill: cloth.stamp });
  return marks;
}, '20 136 109 164');

/** Quarter rounds about a corner. */
export const ripples = pictured((cloth, chance) => {
  const tones = tonesOf(cloth);
  const corner = chance.pick([0, COVER_WIDTH]);
  const rounds = chance.whole(4, 6);
  return Array.from({ length: rounds }, (_, index) => ({
    d: circle(corner, COVER_HEIGHT, 158 - (index * 150) / rounds),
    fill: tones[index % 3] ?? cloth.second,
  }));
}, '40 120 120 180');

/** A cut stone: lozenges within each other. */
export const facets = pictured((cloth, chance) => {
  const tones = tonesOf(cloth);
  const broad = chance.pick([1, 2]);
  const marks: CoverMark[] = [];
  for (const x of broad === 1 ? [100] : [56, 144]) {
    for (let index = 0; index < 5; index += 1) {
      const share = 1 - index / 5;
      const size: [number, number] = [(broad === 1 ? 168 : 84) * share, 142 * share];
      marks.push({ d: lozenge(x, 216, ...size), fill: tones[(index + 1) % 4] ?? cloth.second });
    }
  }
  return marks;
}, '52 144 96 144');

/** The moon from new to full and back. */
export const phases = pictured((cloth, chance) => {
  const marks: CoverMark[] = [];
  const full = chance.whole(0, 2);
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const [x, y] = [35 + column * 43, 178 + row * 42];
      const shade = ((column + row * 4 - full * 4 + 12) % 12) - 6;
      marks.push({ d: circle(x, y, 17), fill: cloth.stamp });
      if (shade !== 0)
        marks.push({ d: circle(x + shade * 2, y, 17.4 - Math.abs(shade) * 0.5), fill: cloth.second });
    }
  }
  return marks;
}, '14 156 88 132');

/** A frame within a frame, and the title inside. */
export const frames = pictured(
  (cloth, chance) => {
    const tones = tonesOf(cloth);
    const count = chance.whole(3, 4);
    const first = chance.whole(0, 3);
    const marks = Array.from({ length: count }, (_, index): CoverMark => {
      const edge = index * 7;
      return {
        d: rect(edge, edge, COVER_WIDTH - 2 * edge, COVER_HEIGHT - 2 * edge),
        fill: tones[(index + first) % 4] ?? cloth.second,
      };
    });
    const edge = count * 7;
    const inner = rect(edge, edge, COVER_WIDTH - 2 * edge, COVER_HEIGHT - 2 * edge);
    return [
      ...marks,
      { d: inner, fill: cloth.ground },
      { d: lozenge(100, 226, 30, 30) + circle(72, 226, 4) + circle(128, 226, 4), fill: cloth.second },
    ];
  },
  '0 180 80 120',
  {
    title: { x: 100, y: 44, width: 132, height: 150, align: 'middle', sit: 'middle' },
    author: { x: 100, y: 250, width: 130, height: 14, align: 'middle', sit: 'bottom' },
  },
);
