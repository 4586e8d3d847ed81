import {
  between,
  AUTHOR_AT_FOOT,
  TITLE_ABOVE,
  type Family,
  arch,
  at,
  circle,
  COVER_HEIGHT,
  COVER_WIDTH,
  rect,
  type CoverMark,
} from './cover-design-shapes.js';

/** Bands of different heights, like the labels of a set of collected works. */
export const bands: Family = (cloth, chance) => {
  const pattern: CoverMark[] = [];
  const tones = [cloth.second, cloth.stamp, between(cloth.ground, cloth.second, 0.5)];
  const stack = (from: number, to: number) => {
    let y = from;
    let tone = chance.whole(0, 2);
    while (y < to - 3) {
      const height = Math.min(chance.pick([3, 6, 6, 11, 18, 30]), to - y);
      pattern.push({ d: rect(0, y, COVER_WIDTH, height), fill: tones[tone % 3] ?? cloth.second });
      tone += chance.whole(1, 2);
      y += height + chance.pick([4, 4, 7]);
    }
  };
  const low = chance.next() < 0.6;
  if (low) stack(156, 262);
  else stack(0, 112);
  return {
    pattern,
    plate: [],
    glance: low ? '50 120 120 180' : '40 0 120 180',
    title: { ...TITLE_ABOVE, y: low ? 30 : 132, height: 106, sit: low ? 'middle' : 'top' },
    author: { ...AUTHOR_AT_FOOT, y: low ? 272 : 268 },
    ink: cloth.stamp,
    voice: chance.pick(['roman', 'capitals']),
  };
};

/** Doorways within doorways, or an arcade. */
export const arches: Family = (cloth, chance) => {
  const pattern: CoverMark[] = [];
  const tones = [cloth.stamp, cloth.second, between(cloth.ground, cloth.second, 0.4), cloth.ground];
  const nest = (x: number, width: number, height: number, count: number, first: number) => {
    for (let index = 0; index < count; index += 1) {
      const share = 1 - index / count;
      const slimmer = width * share;
      pattern.push({
        d: arch(x, COVER_HEIGHT, slimmer, height - (width - slimmer) / 2),
        fill: tones[(index + first) % tones.length] ?? cloth.second,
      });
    }
  };
  const first = chance.whole(0, 2);
  const kind = chance.pick(['one', 'one', 'two', 'three']);
  if (kind === 'one') nest(100, 164, 190, chance.whole(4, 6), first);
  if (kind === 'two') for (const x of [56, 144]) nest(x, 78, 178, 4, first);
  if (kind === 'three')
    for (const x of [37, 100, 163]) nest(x, 54, x === 100 ? 184 : 158, 3, first + (x === 100 ? 1 : 0));
  return {
    pattern,
    plate: [],
    glance: '12 36 176 264',
    title: { ...TITLE_ABOVE, y: 22, height: 66, sit: 'top' },
    author: { ...AUTHOR_AT_FOOT, y: 88, height: 14 },
    ink: cloth.stamp,
    voice: 'roman',
  };
};

/** Hills under a sun, or the lines of a map. */
export const terrain: Family = (cloth, chance) => {
  const pattern: CoverMark[] = [];
  const [a, b, c] = [chance.within(0, 6), chance.within(0, 6), chance.within(10, 22)];
  const ridge = (base: number, depth: number) => {
    let line = '';
    for (let x = 0; x <= COVER_WIDTH; x += 10) {
      const y = base + Math.sin(x / 38 + a + depth) * c + Math.sin(x / 17 + b - depth * 1.6) * (c / 3.4);
      line += `${x === 0 ? 'M' : 'L'}${x} ${at(y)}`;
    }
    return line;
  };
  if (chance.next() < 0.55) {
    const sunX = chance.within(52, 148);
    pattern.push({ d: circle(sunX, 152, 27), fill: cloth.stamp });
    const layers = 5;
    for (let layer = 0; layer < layers; layer += 1) {
      const tone =
        layer % 2 === 0
          ? between(cloth.second, cloth.ground, layer * 0.16)
          : between(cloth.second, cloth.stamp, 0.3 + layer * 0.12);
      pattern.push({ d: `${ridge(172 + layer * 27, layer * 1.3)}V${COVER_HEIGHT}H0z`, fill: tone });
    }
    return {
      pattern,
      plate: [],
      glance: '30 110 126.7 190',
      title: { ...TITLE_ABOVE, y: 22, height: 74 },
      author: { ...AUTHOR_AT_FOOT, y: 100 },
      ink: cloth.stamp,
      voice: chance.pick(['roman', 'capitals']),
    };
  }
  const lines = chance.whole(9, 12);
  for (let index = 0; index < lines; index += 1) {
    pattern.push({
      d: ridge(146 + (index * 82) / lines, index * 0.22),
      stroke: index % 4 === 1 ? cloth.second : cloth.stamp,
      width: index % 4 === 1 ? 3.4 : 1.7,
    });
  }
  return {
    pattern,
    plate: [],
    glance: '30 104 100 150',
    title: { ...TITLE_ABOVE, y: 24, height: 84 },
    author: { ...AUTHOR_AT_FOOT, y: 273 },
    ink: cloth.stamp,
    voice: 'italic',
  };
};
