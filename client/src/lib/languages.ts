import { LANGUAGES, type Language } from '#contracts/languages.js';
import { pageLanguage } from './texts.js';

/** What this page is in: each language has a site of its own. */
export const siteLanguage = LANGUAGES.find((language) => language === pageLanguage()) ?? 'en';

/** A language in its own words: "Polski". */
export function nameOfLanguage(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
