import { APP_TITLES } from '#contracts/app-title.js';
import type { Settings } from './settings.js';

/** What the library is called wherever it is named: on the site, in letters, on paper, in code apps. */
export function libraryName({ APP_TITLE, LABELS }: Pick<Settings, 'APP_TITLE' | 'LABELS'>): string {
  return APP_TITLE?.trim() || APP_TITLES[LABELS];
}
