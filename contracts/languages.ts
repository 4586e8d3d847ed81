import { LOCALES, type Locale } from '#words/locale.js';

/** A language that a person may choose: what `words/` has but for wordings, which an installation has instead of one. */
export type Language = Exclude<Locale, `${string}-x-${string}`>;

export const LANGUAGES = LOCALES.filter((locale): locale is Language => !locale.includes('-x-'));
