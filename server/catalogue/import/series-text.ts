/** What series a book is of, and which volume it is there. */
export interface SeriesPlace {
  series: string | null;
  /** As it is printed: `1`, `1-3`, `0.5`; null where there is none, and for a book of no series. */
  volume: string | null;
}

export const NO_SERIES: SeriesPlace = { series: null, volume: null };

const NUMBERS = String.raw`\d+(?:\.\d+)?(?:(?: ?[-–&+/] ?|, )\d+(?:\.\d+)?)*(?:[,:] Part \d+(?: of \d+)?)?`;
/** "The Hunger Games, #1", "Ringworld #2", "Discworld, #9; Rincewind #4". */
const PRINTED = new RegExp(
  String.raw`^([^()#;]{0,199}[^()#;,:\s])[,:]? *# *(${NUMBERS})(?:; ([^.;]*#.*))?$`,
  'u',
);
const LONGEST_VOLUME = 40;

/**
 * Reads a series as it is printed after a title.
 * @returns the first series, and the others as they stand there; undefined where it can be read in more than one way
 */
export function readSeries(printed: string): { place: SeriesPlace; others: string } | undefined {
  const [, series, volume, others = ''] = PRINTED.exec(printed) ?? [];
  if (series === undefined || volume === undefined || volume.length > LONGEST_VOLUME) return undefined;
  return { place: { series, volume }, others };
}
