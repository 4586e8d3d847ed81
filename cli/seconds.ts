import { currentLocale } from '#words/locale.js';

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false } as const;

/** As the present language writes them, with one decimal. */
export const inSeconds = (milliseconds: number): string =>
  new Intl.NumberFormat(currentLocale(), ONE_DECIMAL).format(milliseconds / 1000);
