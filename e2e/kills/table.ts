import { PARTS } from './parts.js';
import type { Fallen } from './strokes.js';

export const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** A table of blows by part: how many of each kind, how long it took to open, how long nobody was told of a success. */
export function tableOf(fallen: readonly Fallen[], successes: readonly number[]): string[] {
  const told = successes.toSorted((one, other) => one - other);
  const silence = ({ from, open }: Fallen) => {
    let longest = 0;
    for (const [index, at] of told.entries()) {
      const last = told[index - 1] ?? from;
      if (at >= from && last <= open) longest = Math.max(longest, at - last);
    }
    return longest;
  };
  return PARTS.flatMap((part) => {
    const those = fallen.filter((each) => each.part === part);
    if (those.length === 0) return [];
    const kinds = new Map<string, number>();
    for (const { blow, role } of those) {
      const kind = role === '' ? blow : `${blow} (${role})`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    const opened = those.filter(({ blow }) => blow !== 'paused').map(({ started, open }) => open - started);
    return [
      `${part}: ${[...kinds].map(([kind, times]) => `${times} ${kind}`).join(', ')}; ` +
        `open after ${spread(opened)}; no success for ${spread(those.map(silence))}`,
    ];
  });
}

function spread(values: number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const [middle = 0, most = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${seconds(middle)} (p50), ${seconds(most)} (max)`;
}
