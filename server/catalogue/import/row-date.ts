/** Stands for a day that nobody knows, and for every day before our era: the API writes days as yyyy-MM-dd. */
export const EARLIEST = '0001-01-01';

/** A day, and what had to be assumed to get it. */
export type RowDate = { day: string; assumed?: string } | { refused: string };

/**
 * The day that a book came out.
 * @param written `yyyy-MM-dd`, `dd.MM.yyyy`, `yyyy-MM`, or a year, which may be negative or end in `.0`
 * @param thisYear later than the next one is refused
 */
export function dateOfRow(written: string, thisYear: number): RowDate {
  const text = written.trim();
  if (text === '') return { day: EARLIEST, assumed: `no publication date, stored as ${EARLIEST}` };

  const year = /^(-?\d{1,4})(?:\.0+)?$/.exec(text)?.[1];
  if (year !== undefined) {
    if (Number(year) > thisYear + 1) return { refused: `the year ${text} has not come yet` };
    if (Number(year) < 1)
      return { day: EARLIEST, assumed: `the year ${Number(year)} is before our era, stored as ${EARLIEST}` };
    return { day: `${year.padStart(4, '0')}-01-01` };
  }
  const iso = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T.*)?$/.exec(text);
  if (iso) return realDay(text, iso[1], iso[2], iso[3] ?? '01', thisYear);
  const dotted = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/.exec(text);
  if (dotted) return realDay(text, dotted[3], dotted[2], dotted[1], thisYear);
  return { refused: `"${text.slice(0, 40)}" is no date: write yyyy-MM-dd or a year` };
}

function realDay(text: string, year = '', month = '', day = '', thisYear: number): RowDate {
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== written || Number(year) < 1) {
    return { refused: `"${text.slice(0, 40)}" is no day of the calendar` };
  }
  if (Number(year) > thisYear + 1) return { refused: `the year ${year} has not come yet` };
  return { day: written };
}
