import { LANGUAGES, type Language } from '#contracts/languages.js';
import { readLocaleBy, type Locale } from '#words/locale.js';
import { callContext, inContext } from './deadline.js';

/** What English is in this installation. */
let english: Locale = 'en';

/** Of who never said in which language; the library's own. */
let usual: Language = 'en';

/** In which locale the words of a language are: of English, by the installation's wording. */
export const localeOf = (language: Language): Locale => (language === 'en' ? english : language);

/** In which language texts are made just now. */
export const currentLanguage = (): Language => callContext()?.language ?? usual;

readLocaleBy(() => localeOf(currentLanguage()));

/** Before anything is said. */
export function sayAsInstalled({ LABELS }: { LABELS: 'as-found' | 'corrected' }): void {
  english = LABELS === 'as-found' ? 'en-x-asfound' : 'en';
}

/** Of who reads a terminal: the one of its environment where that is spoken here, else English. */
export function terminalLanguage({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): Language {
  const [named] = (LC_ALL || LC_MESSAGES || LANG || 'en').toLowerCase().split(/[_.@-]/);
  return LANGUAGES.find((language) => language === named) ?? 'en';
}

export function sayUsually(language: Language): void {
  usual = language;
}

/**
 * Runs what makes texts for a person, in their language; what it waits for is in that language too.
 * @param language what is known of it; where that is none that is spoken here, it stays the present one
 */
export function inLanguage<Result>(language: string | null | undefined, work: () => Result): Result {
  const spoken = LANGUAGES.find((each) => each === language);
  return spoken ? inContext({ language: spoken }, work) : work();
}
