import {
  between,
  AUTHOR_AT_FOOT,
  TITLE_ABOVE,
  type Family,
  at,
  circle,
  COVER_HEIGHT,
  COVER_WIDTH,
  leaf,
  lozenge,
  polar,
  rect,
  wedge,
  type CoverMark,
} from './cover-design-shapes.js';

/** One round ornament: a sun, a target, a rosette or a moon. */
export const roundel: Family = (cloth, chance) => {
  const [x, y, radius] = [100, 188, 66];
  const pattern: CoverMark[] = [];
  const middle = between(cloth.ground, cloth.second, 0.45);
  switch (chance.pick(['sun', 'rings', 'rosette', 'moon', 'wheel'])) {
    case 'sun': {
      const rays = chance.pick([12, 16, 20, 24]);
      const step = (Math.PI * 2) / rays;
      for (let ray = 0; ray < rays; ray += 1) {
        const outer = ray % 2 === 0 ? radius : radius * 0.8;
        pattern.push({
          d: wedge(x, y, radius * 0.42, outer, ray * step, (ray + 0.5) * step),
          fill: ray % 2 === 0 ? cloth.stamp : cloth.second,
        });
      }
      pattern.push({ d: circle(x, y, radius * 0.34), fill: cloth.stamp });
      break;
    }
    case 'rings': {
      const rings = chance.whole(3, 5);
      for (let ring = 0; ring < rings; ring += 1) {
        const tone = [cloth.stamp, cloth.second, middle][ring % 3] ?? middle;
        pattern.push({ d: circle(x, y + ring * 4, radius - (ring * radius) / rings), fill: tone });
      }
      break;
    }
    case 'rosette': {
      const petals = chance.pick([8, 10, 12]);
      pattern.push({ d: circle(x, y, radius), stroke: cloth.stamp, width: 2 });
      for (let petal = 0; petal < petals; petal += 1) {
        const angle = (petal * Math.PI * 2) / petals;
        const [px, py] = polar(x, y, 12, angle);
        pattern.push({
          d: leaf(px, py, radius * 0.72, radius * 0.24, angle),
          fill: petal % 2 === 0 ? cloth.stamp : cloth.second,
        });
      }
      pattern.push({ d: circle(x, y, 8), fill: cloth.stamp });
      break;
    }
    case 'moon': {
      const shift = chance.within(-34, 34);
      pattern.push({ d: circle(x, y, radius), fill: cloth.stamp });
      pattern.push({ d: circle(x + shift, y - 14, radius * 0.82), fill: middle });
      for (let ring = 0; ring < 3; ring += 1) {
        pattern.push({
          d: circle(x + shift, y - 14, radius * (0.62 - ring * 0.2)),
          stroke: cloth.stamp,
          width: 1.6,
        });
      }
      break;
    }
    default: {
      const spokes = chance.pick([6, 8, 9]);
      const step = (Math.PI * 2) / spokes;
      for (let ring = 1; ring <= 3; ring += 1) {
        for (let spoke = 0; spoke < spokes; spoke += 1) {
          const tone = [cloth.stamp, cloth.second, middle][(spoke + ring) % 3] ?? middle;
          const from = spoke * step + ring * 0.26;
          pattern.push({
            d: wedge(x, y, ((ring - 1) * radius) / 3 + 3, (ring * radius) / 3, from, from + step * 0.9),
            fill: tone,
          });
        }
      }
    }
  }
  return {
    pattern,
    plate: [],
    glance: '26 77 148 222',
    title: { ...TITLE_ABOVE, height: 86 },
    author: AUTHOR_AT_FOOT,
    ink: cloth.stamp,
    voice: chance.pick(['roman', 'italic']),
  };
};

/** Stems with paired leaves and berries, the way a bookbinder stamps them. */
export const sprig: Family = (cloth, chance) => {
  const pattern: CoverMark[] = [];
  const stems = chance.pick([1, 3, 3]);
  const filled = chance.next() < 0.6;
  const pairs = chance.whole(5, 7);
  const grow = (foot: number, top: number, lean: number, scale: number) => {
    const point = (share: number): [number, number] => [
      foot + lean * Math.sin(share * Math.PI * 0.5) + Math.sin(share * Math.PI * 2) * 4 * scale,
      258 - (258 - top) * share,
    ];
    let stem = '';
    for (let step = 0; step <= 12; step += 1) {
      const [x, y] = point(step / 12);
      stem += `${step === 0 ? 'M' : 'L'}${at(x)} ${at(y)}`;
    }
    pattern.push({ d: stem, stroke: cloth.stamp, width: 2 });
    for (let pair = 1; pair <= pairs; pair += 1) {
      const share = pair / (pairs + 0.6);
      const [x, y] = point(share);
      const length = (36 - share * 16) * scale;
      const tilt = 0.55 + share * 0.35;
      for (const side of [-1, 1]) {
        const d = leaf(x, y, length, length * 0.3, -Math.PI / 2 + side * (Math.PI / 2 - tilt));
        if (filled || side < 0) pattern.push({ d, fill: side < 0 ? cloth.stamp : cloth.second });
        else pattern.push({ d, stroke: cloth.stamp, width: 1.6 });
      }
    }
    const [tipX, tipY] = point(1);
    pattern.push({
      d: leaf(tipX, tipY + 6, 24 * scale, 7 * scale, -Math.PI / 2 + lean / 90),
      fill: cloth.stamp,
    });
  };
  grow(100, stems === 1 ? 140 : 122, stems === 1 ? chance.within(-10, 10) : 0, stems === 1 ? 1.35 : 1);
  if (stems === 3) {
    const spread = chance.within(30, 42);
    grow(88, 164, -spread, 0.72);
    grow(112, 164, spread, 0.72);
    for (const side of [-1, 1]) {
      pattern.push({ d: circle(100 + side * (spread + 26), 140, 4.5), fill: cloth.second });
      pattern.push({ d: circle(100 + side * (spread + 2), 128, 3), fill: cloth.stamp });
    }
  }
  return {
    pattern,
    plate: [{ d: rect(13, 13, 174, 274), stroke: cloth.stamp, width: 1 }],
    glance: stems === 1 ? '40 100 120 180' : '26 84 148 222',
    title: { ...TITLE_ABOVE, y: 28, width: 150, height: 78 },
    author: { ...AUTHOR_AT_FOOT, y: 264, width: 150 },
    ink: cloth.stamp,
    voice: chance.pick(['italic', 'roman']),
  };
};

/** Orbits and stars. */
export const heavens: Family = (cloth, chance, more = 0) => {
  const pattern: CoverMark[] = [];
  const [x, y] = [chance.within(70, 130), chance.within(104, 120) - more];
  const horizon = 206 - more;
  const lowestStar = more === 0 ? horizon : horizon - 12;
  const orbits = chance.whole(3, 5);
  pattern.push({ d: circle(x, y, 15), fill: cloth.stamp });
  for (let orbit = 1; orbit <= orbits; orbit += 1) {
    const radius = 15 + orbit * (70 / orbits);
    pattern.push({ d: circle(x, y, radius), stroke: cloth.stamp, width: 1.4 });
    const [px, py] = polar(x, y, radius, chance.within(0, Math.PI * 2));
    pattern.push({
      d: circle(px, py, chance.pick([4, 5.5, 7])),
      fill: orbit % 2 === 0 ? cloth.stamp : cloth.second,
    });
  }
  for (let star = 0; star < 16; star += 1) {
    const [sx, sy] = [
      14 + ((star * 47 + chance.whole(0, 30)) % 176),
      14 + ((star * 29 + chance.whole(0, 12)) % 186),
    ];
    if (Math.hypot(sx - x, sy - y) < 92 || sy > lowestStar) continue;
    const size = chance.pick([3, 5, 7]);
    pattern.push({ d: lozenge(sx, sy, size * 0.7, size * 1.6), fill: cloth.stamp });
    pattern.push({ d: lozenge(sx, sy, size * 1.6, size * 0.7), fill: cloth.stamp });
  }
  return {
    pattern,
    plate: [],
    glance: `${at(x - 58)} ${at(y - 87)} 116 174`,
    title: { ...TITLE_ABOVE, y: horizon, height: 56 + more, sit: 'bottom' },
    author: { ...AUTHOR_AT_FOOT, y: 272 },
    ink: cloth.stamp,
    voice: chance.pick(['capitals', 'roman']),
  };
};

/** Quarter binding: a spine of the second colour, rules in foil, and one small ornament. */
export const spineRule: Family = (cloth, chance) => {
  const spine = chance.pick([34, 42, 50]);
  const pattern: CoverMark[] = [
    { d: rect(0, 0, spine, COVER_HEIGHT), fill: cloth.second },
    { d: rect(spine, 0, 2.4, COVER_HEIGHT), fill: cloth.stamp },
    { d: rect(spine + 5, 0, 1, COVER_HEIGHT), fill: cloth.stamp },
  ];
  const x = at((spine + 6 + COVER_WIDTH) / 2);
  const y = 206;
  switch (chance.pick(['lozenges', 'asterism', 'fan', 'ladder'])) {
    case 'lozenges':
      for (let row = -1; row <= 1; row += 1) {
        for (let column = -1; column <= 1; column += 1) {
          pattern.push({
            d: lozenge(x + column * 25, y + row * 25, 23, 23),
            fill: (row + column) % 2 === 0 ? cloth.stamp : cloth.second,
          });
        }
      }
      break;
    case 'asterism':
      for (const [dx, dy] of [
        [0, -18],
        [-21, 18],
        [21, 18],
      ] as const) {
        for (let point = 0; point < 6; point += 1) {
          pattern.push({
            d: leaf(x + dx, y + dy, 18, 4.4, (point * Math.PI) / 3 + Math.PI / 6),
            fill: cloth.stamp,
          });
        }
      }
      break;
    case 'fan':
      for (let blade = 0; blade < 7; blade += 1) {
        pattern.push({
          d: leaf(x, y + 32, 62, 8.5, -Math.PI + ((blade + 0.5) * Math.PI) / 7),
          fill: blade % 2 === 0 ? cloth.stamp : cloth.second,
        });
      }
      break;
    default:
      for (let rung = 0; rung < 6; rung += 1) {
        pattern.push({
          d: rect(spine + 20, 172 + rung * 13, 122 - spine * 0.6 - rung * 9, 5),
          fill: rung % 2 === 0 ? cloth.stamp : cloth.second,
        });
      }
  }
  const left = spine + 19;
  return {
    pattern,
    plate: [],
    glance: '22 86 142.7 214',
    title: { x: left, y: 28, width: COVER_WIDTH - left - 12, height: 118, align: 'start', sit: 'top' },
    author: { x: left, y: 270, width: COVER_WIDTH - left - 12, height: 14, align: 'start', sit: 'bottom' },
    ink: cloth.stamp,
    voice: 'roman',
  };
};
