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
