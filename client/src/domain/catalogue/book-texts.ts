import { languageNames } from '#contracts/catalogue/language.js';
import * as m from '#words/messages.js';
import { pageLanguage } from '../../lib/texts.js';

/** "Polish" for `pl`, in the language of the page; the code itself where nobody knows a name for it. */
export const languageName = languageNames(pageLanguage());

const isMany = (volume: string) => /\d ?[-–&+,] ?\d/.test(volume);

/** "Harry Potter, volume 1", "Darkest Powers, volumes 1-3"; empty for a book of no series. */
export function seriesText({ series, volume }: { series: string | null; volume: string | null }): string {
  if (series === null) return '';
  if (volume === null) return series;
  return isMany(volume)
    ? m.catalogue_series_volumes({ series, volume })
    : m.catalogue_series_volume({ series, volume });
}

/** "volume 1", "volumes 1-3" */
export function volumeText(volume: string): string {
  return isMany(volume) ? m.catalogue_volumes({ volume }) : m.catalogue_volume({ volume });
}
