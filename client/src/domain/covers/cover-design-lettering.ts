/** How wide the serif sets its letters, in thousandths of the type size (Newsreader at weight 500). */
const ADVANCES: Record<number, string> = {
  270: " .,:;!'()|lij",
  360: '-/[]{}"Ift',
  430: 'rs*?_czJ',
  475: 'ae`',
  530: 'govxy+<=>~^',
  575: 'bdhknpquS#$0123456789',
  650: 'BEFLPRTYZ',
  760: 'ACDGKNOQUVXw&',
  840: 'Hm%@',
  1000: 'MW',
};

const ADVANCE_OF = new Map(
  Object.entries(ADVANCES).flatMap(([advance, letters]) =>
    [...letters].map((letter) => [letter, Number(advance)]),
  ),
);

/** A little more than an average capital: better to set a strange alphabet too small than to cut it. */
const UNKNOWN_ADVANCE = 700;

/** Width of a text set at `size`, with `tracking` (in parts of the size) after each letter. Same unit as `size`. */
export function textWidth(text: string, size: number, tracking = 0): number {
  return setAt(size, thousandthsOf(text, tracking));
}

function thousandthsOf(text: string, tracking: number): number {
  let thousandths = 0;
  for (const letter of text.normalize('NFD').replace(/\p{M}/gu, '')) {
    thousandths += (ADVANCE_OF.get(letter) ?? UNKNOWN_ADVANCE) + tracking * 1000;
  }
  return thousandths;
}

const setAt = (size: number, thousandths: number) => (thousandths * size) / 1000;

/** A way to break words into lines. */
interface Breaks {
  /** In thousandths of the type size. */
  widest: number;
  /** The index of each line's first word. */
  starts: readonly number[];
}

/**
 * Breaks words into exactly so many lines that the widest is as narrow as it can be. Widths grow with the type size, so
 * that the breaks are the same at each.
 * @returns the breaks for a number of lines, which are found once
 */
function balanced(words: readonly string[], tracking: number): (count: number) => Breaks {
  const blank = thousandthsOf(' ', tracking);
  const blankAfter = words.map((word) => (word.endsWith(GOES_ON) ? 0 : blank));
  const before = [0];
  words.forEach((word, at) => {
    const width = thousandthsOf(word.replaceAll(GOES_ON, ''), tracking);
    before.push((before[at] ?? 0) + width + (blankAfter[at] ?? 0));
  });
  /** Of the words from the first to the last, that one too. */
  const width = (first: number, last: number) =>
    (before[last + 1] ?? 0) - (before[first] ?? 0) - (blankAfter[last] ?? 0);
  // ways[k][end]: the narrowest way to set words 0..end in k + 1 lines.
  const ways: (Breaks | undefined)[][] = [words.map((_, end) => ({ widest: width(0, end), starts: [0] }))];
  const inOneMore = (fewer: readonly (Breaks | undefined)[]) =>
    words.map((_, end) => {
      let chosen: Breaks | undefined;
      for (let start = 1; start <= end; start += 1) {
        const above = fewer[start - 1];
        if (!above) continue;
        const widest = Math.max(above.widest, width(start, end));
        if (!chosen || widest < chosen.widest) chosen = { widest, starts: [...above.starts, start] };
      }
      return chosen;
    });
  return (count) => {
    while (ways.length < count) ways.push(inOneMore(ways.at(-1) ?? []));
    const way = ways[count - 1]?.at(-1);
    if (!way) throw new RangeError(`${words.length} words in ${count} lines`);
    return way;
  };
}

/** After a part of a word that goes on: between two such parts there is no blank. */
const GOES_ON = '\u2060';

function joined(parts: readonly string[]): string {
  return parts.join(' ').replaceAll(`${GOES_ON} `, '').replaceAll(GOES_ON, '');
}

/** "Slaughterhouse-Five" may be broken where it has its hyphen. */
function atHyphens(word: string): string[] {
  return word
    .split(/(?<=[\p{L}\p{N}][-–—/])(?=[\p{L}\p{N}])/u)
    .map((part, at, parts) => (at < parts.length - 1 ? part + GOES_ON : part));
}

export interface SetText {
  lines: string[];
  size: number;
}

/** What to fit a text into; lengths in the units of the cover. */
export interface Measure {
  width: number;
  height: number;
  /** Type sizes to try, the largest first. */
  sizes: readonly number[];
  leading: number;
  tracking?: number;
}

/** How much smaller a setting may be when that saves a title from one very short line. */
const SMALLEST_BETTER_SETTING = 0.7;

/**
 * Sets a text as large as it fits, in balanced lines; a little smaller where that avoids a ragged block. A text that
 * does not fit is broken at its hyphens, then set in the smallest sizes; what cannot fit so ends in an ellipsis.
 */
export function setText(text: string, measure: Measure): SetText {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const broken = words.flatMap(atHyphens);
  const least = measure.sizes.at(-1) ?? 12;
  const smallest = { ...measure, sizes: SMALLEST.filter((size) => size < least) };
  return (
    wholly(words, measure) ??
    wholly(broken, measure) ??
    wholly(broken, smallest) ??
    cut(words, measure, measure.tracking ?? 0)
  );
}

/** Better small than cut. */
const SMALLEST = [11, 10, 9, 8];

/** Whether a text was too long for its place. */
export function isCut({ lines }: SetText, text: string): boolean {
  return (lines.at(-1) ?? '').endsWith('…') && !text.trim().endsWith('…');
}

function wholly(words: readonly string[], measure: Measure): SetText | null {
  const inLines = balanced(words, measure.tracking ?? 0);
  let ragged: SetText | null = null;
  for (const size of measure.sizes) {
    if (ragged && size < ragged.size * SMALLEST_BETTER_SETTING) break;
    const lines = fitted(words, inLines, size, measure);
    if (!lines) continue;
    if (!isRagged(lines, size)) return { lines, size };
    ragged ??= { lines, size };
  }
  return ragged;
}

function fitted(
  words: readonly string[],
  inLines: (count: number) => Breaks,
  size: number,
  { width, height, leading }: Measure,
): string[] | null {
  const most = Math.min(words.length, Math.floor(height / (size * leading)));
  for (let count = 1; count <= most; count += 1) {
    const { widest, starts } = inLines(count);
    if (setAt(size, widest) > width) continue;
    return starts.map((start, line) => joined(words.slice(start, starts[line + 1])));
  }
  return null;
}

function isRagged(lines: readonly string[], size: number): boolean {
  const widths = lines.map((line) => textWidth(line, size));
  return lines.length > 2 && Math.min(...widths) < Math.max(...widths) * 0.5;
}

/** Fills lines in reading order at the smallest size and ends with an ellipsis where the room does. */
function cut(words: readonly string[], measure: Measure, tracking: number): SetText {
  const size = measure.sizes.at(-1) ?? 12;
  const fits = (line: string) => textWidth(line, size, tracking) <= measure.width;
  const room = Math.max(1, Math.floor(measure.height / (size * measure.leading)));
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || fits(longer)) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  const kept = lines.slice(0, room).map((full) => shorten(full, fits));
  if (lines.length > room) kept[room - 1] = shorten(`${(kept[room - 1] ?? '').replace(/…$/, '')}…`, fits);
  return { lines: kept, size };
}

function shorten(line: string, fits: (line: string) => boolean): string {
  if (fits(line)) return line;
  let letters = [...line.replace(/…$/, '')];
  while (letters.length > 1 && !fits(`${letters.join('').trimEnd()}…`)) letters = letters.slice(0, -1);
  return `${letters.join('').trimEnd()}…`;
}

/** A title and what follows its first colon or dash; the second part is set small where there is one. */
export function splitTitle(title: string): { main: string; sub: string } {
  const match = /^(.{3,}?)(?:\s*:\s+|\s+[–—]\s+|;\s+)(.+)$/u.exec(title.trim());
  return match ? { main: match[1] ?? title, sub: match[2] ?? '' } : { main: title.trim(), sub: '' };
}
