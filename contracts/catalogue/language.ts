/** How a locale calls a language: in English "Polish" for `pl`; undefined where nobody knows a name for the code. */
function namesIn(locale: string): (code: string) => string | undefined {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  return (code) => (/^[a-z]{2,3}$/.test(code) ? names.of(code) : undefined);
}

/** The same with the code itself where nobody knows a name for it. */
export function languageNames(locale: string): (code: string) => string {
  const nameOf = namesIn(locale);
  return (code) => nameOf(code) ?? code;
}

const nameOf = namesIn('en');
/** In English. */
export const languageName = languageNames('en');

/**
 * The one code that a language is kept by: of two letters where ISO 639 has one, of three where it has none.
 * @param written a code of ISO 639-1, -2 or -3, perhaps with a country behind it: `eng`, `fre`, `en-US`, `pt_BR`
 * @returns undefined for what names no language
 */
export function canonicalLanguage(written: string): string | undefined {
  const tag = written.trim().replaceAll('_', '-');
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag)) return undefined;
  try {
    const { language } = new Intl.Locale(tag);
    return nameOf(language) === undefined || language === 'und' ? undefined : language;
  } catch {
    // A subtag that no standard allows, as in `en-x`.
    return undefined;
  }
}
