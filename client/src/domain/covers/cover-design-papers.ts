import {
  between,
  LABEL_INK,
  LABEL_PAPER,
  type Cloth,
  type Family,
  circle,
  COVER_HEIGHT,
  COVER_WIDTH,
  leaf,
  lozenge,
  rect,
  wedge,
  type CoverMark,
  type Chance,
} from './cover-design-shapes.js';

/** A printed paper that covers the whole board. */
type Paper = (cloth: Cloth, chance: Chance) => CoverMark[];

const diaper: Paper = (cloth, chance) => {
  const [large, small]: [string[], string[]] = [[], []];
  const [across, down] = chance.pick([
    [40, 50],
    [50, 50],
    [40, 75],
  ] as const);
  for (let row = 0; row * (down / 2) <= COVER_HEIGHT; row += 1) {
    for (let column = 0; column * across <= COVER_WIDTH; column += 1) {
      const [x, y] = [column * across + (row % 2) * (across / 2), row * (down / 2)];
      large.push(lozenge(x, y, across * 0.82, down * 0.82));
      small.push(lozenge(x, y, across * 0.34, down * 0.34));
    }
  }
  return [
    { d: large.join(''), fill: between(cloth.ground, cloth.second, 0.75) },
    { d: small.join(''), fill: cloth.stamp },
  ];
};

const scallops: Paper = (cloth) => {
  const marks: CoverMark[] = [];
  const radius = 25;
  const tones = [cloth.second, cloth.ground, cloth.stamp, cloth.ground];
  for (let row = 0; row <= 25; row += 1) {
    const y = row * (radius / 2);
    // Those of a row touch, and lie over the row above.
    const centres = [0, 1, 2, 3, 4].map((column) => column * radius * 2 + (row % 2) * radius);
    tones.forEach((fill, ring) =>
      marks.push({ d: centres.map((x) => circle(x, y, radius - ring * 6)).join(''), fill }),
    );
  }
  return marks;
};

const leaves: Paper = (cloth, chance) => {
  const marks: CoverMark[] = [];
  const lean = chance.within(0.5, 0.9);
  for (let row = 0; row <= 8; row += 1) {
    const [leafs, buds]: [string[], string[]] = [[], []];
    for (let column = 0; column <= 5; column += 1) {
      const [x, y] = [column * 40 + (row % 2) * 20, row * 37.5 + 8];
      const angle = -Math.PI / 2 + ((row + column) % 2 === 0 ? lean : -lean);
      leafs.push(leaf(x, y, 34, 11, angle));
      buds.push(circle(x, y + 5, 2.6));
    }
    const [fill, other] = row % 2 === 0 ? [cloth.stamp, cloth.second] : [cloth.second, cloth.stamp];
    marks.push({ d: leafs.join(''), fill }, { d: buds.join(''), fill: other });
  }
  return marks;
};

const stripes: Paper = (cloth, chance) => {
  const [broad, narrow]: [string[], string[]] = [[], []];
  const step = chance.pick([20, 25, 40]);
  for (let x = 0; x < COVER_WIDTH; x += step) {
    broad.push(rect(x + step * 0.2, 0, step * 0.42, COVER_HEIGHT));
    narrow.push(rect(x + step * 0.78, 0, Math.max(1.6, step * 0.07), COVER_HEIGHT));
  }
  return [
    { d: broad.join(''), fill: cloth.second },
    { d: narrow.join(''), fill: cloth.stamp },
  ];
};

const zigzag: Paper = (cloth, chance) => {
  const marks: CoverMark[] = [];
  const tooth = chance.pick([12.5, 20, 25]);
  for (let row = -1; row * 15 < COVER_HEIGHT + 30; row += 1) {
    let d = '';
    for (let x = 0; x <= COVER_WIDTH; x += tooth) {
      d += `${x === 0 ? 'M' : 'L'}${x} ${row * 15 + ((x / tooth) % 2 === 0 ? 0 : tooth)}`;
    }
    const bold = row % 2 === 0;
    marks.push({ d, stroke: bold ? cloth.second : cloth.stamp, width: bold ? 6.5 : 2 });
  }
  return marks;
};

/** The square tiles of a floor: quarter rounds, halves and leaves, turned by chance. */
const tiles: Paper = (cloth, chance) => {
  const marks: CoverMark[] = [];
  const size = 50;
  const quarter = Math.PI / 2;
  for (let row = 0; row < 6; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      const [x, y] = [column * size, row * size];
      const turn = chance.whole(0, 3);
      const corner: readonly [number, number] = [
        x + (turn === 1 || turn === 2 ? size : 0),
        y + (turn > 1 ? size : 0),
      ];
      const [fill, other] = chance.next() < 0.5 ? [cloth.stamp, cloth.second] : [cloth.second, cloth.stamp];
      switch (chance.whole(0, 4)) {
        case 0:
          marks.push({ d: wedge(...corner, 0.1, size, turn * quarter, (turn + 1) * quarter), fill });
          break;
        case 1:
          marks.push({ d: wedge(...corner, 0.1, size, turn * quarter, (turn + 1) * quarter), fill });
          marks.push({
            d: wedge(...corner, 0.1, size / 2, turn * quarter, (turn + 1) * quarter),
            fill: cloth.ground,
          });
          break;
        case 2:
          marks.push({ d: circle(x + size / 2, y + size / 2, size * 0.34), fill });
          break;
        case 3:
          marks.push({ d: rect(x, y, size, size), fill: between(cloth.ground, cloth.second, 0.35) });
          marks.push({
            d: leaf(...corner, size * 1.414, size * 0.42, turn * quarter + quarter / 2),
            fill: other,
          });
          break;
        default:
          marks.push({ d: lozenge(x + size / 2, y + size / 2, size, size), fill: other });
      }
    }
  }
  return marks;
};

const LABEL = { x: 32, y: 44, width: 136, height: 108 };

/** Board and pasted label, as on a small gift edition. */
export function labelled(paper: Paper): Family {
  return (cloth, chance, more = 0) => {
    const { x, y, width } = LABEL;
    const height = LABEL.height + more;
    return {
      pattern: paper(cloth, chance),
      plate: [
        { d: rect(x, y, width, height), fill: LABEL_PAPER },
        { d: rect(x + 4.5, y + 4.5, width - 9, height - 9), stroke: LABEL_INK, width: 0.9 },
        { d: rect(x + 7, y + 7, width - 14, height - 14), stroke: LABEL_INK, width: 0.4 },
      ],
      glance: '20 160 80 120',
      title: { x: 100, y: y + 13, width: width - 26, height: height - 42, align: 'middle', sit: 'middle' },
      author: { x: 100, y: y + height - 27, width: width - 32, height: 14, align: 'middle', sit: 'bottom' },
      ink: LABEL_INK,
      voice: chance.pick(['roman', 'italic']),
    };
  };
}

export const diaperPaper = labelled(diaper);
export const scallopPaper = labelled(scallops);
export const leafPaper = labelled(leaves);
export const stripedPaper = labelled(stripes);
export const zigzagPaper = labelled(zigzag);

/** Tiles under a broad plain field: the look of a modern paperback. */
export const tiled: Family = (cloth, chance) => ({
  pattern: tiles(cloth, chance),
  plate: [{ d: rect(0, 0, COVER_WIDTH, 150), fill: cloth.ground }],
  glance: '50 150 100 150',
  title: { x: 16, y: 20, width: 168, height: 92, align: 'start', sit: 'top' },
  author: { x: 16, y: 126, width: 168, height: 14, align: 'start', sit: 'bottom' },
  ink: cloth.stamp,
  voice: 'roman',
});
