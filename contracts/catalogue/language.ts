/** Said of what is no language. */
export const LANGUAGE = 'A language is an ISO 639 code, such as en or pol.';

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** "Polish" for `pl`; the code itself where nobody knows a name for it. */
export function languageName(code: string): string {
  return nameOf(code) ?? code;
}

function nameOf(code: string): string | undefined {
  return /^[a-z]{2,3}$/.test(code) ? names.of(code) : undefined;
}

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
