import { AsyncLocalStorage } from 'node:async_hooks';
import type { Language } from '#contracts/languages.js';
import { readLocaleBy, type Locale } from '#words/locale.js';
import type { Settings } from './settings.js';

const languages = new AsyncLocalStorage<Language>();
/** What English is in this installation. */
let english: Locale = 'en';

/** In which locale the words of a language are: of English, by the installation's wording. */
export const localeOf = (language: Language): Locale => (language === 'en' ? english : language);

readLocaleBy(() => localeOf(languages.getStore() ?? 'en'));

/** Before anything is said. */
export function sayAsInstalled({ LABELS }: Pick<Settings, 'LABELS'>): void {
  english = LABELS === 'as-found' ? 'en-x-asfound' : 'en';
}

/** Runs what makes texts for a person, in their language; what it waits for is in that language too. */
export const inLanguage = <Result>(language: Language, run: () => Result): Result =>
  languages.run(language, run);
