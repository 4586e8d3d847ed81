import type { NextFunction, Request, Response } from 'express';
import { LANGUAGES, type Language } from '#contracts/languages.js';
import { currentLanguage, inLanguage } from '#platform/language.js';
import type { Settings } from '#platform/settings.js';
import { cookieNamed, isHttps } from './cookies.js';

const COOKIE = 'language';
/** The query of a page's address that names a language. */
const QUERY = 'lang';
const YEAR_IN_MS = 365 * 86_400_000;

export function namedIn({ query }: Request): string {
  const named = query[QUERY];
  return typeof named === 'string' ? named : '';
}

/** A page's address may name the language, for instance `/?lang=pl`: then it is the browser's choice from there on. */
export function chosenLanguage(
  request: Request,
  response: Response,
  settings: Pick<Settings, 'PUBLIC_URL'>,
): Language | undefined {
  const named = namedIn(request);
  const chosen = LANGUAGES.find((language) => language === named);
  if (chosen) {
    const secure = isHttps(request, settings);
    response.cookie(COOKIE, chosen, {
      path: '/',
      sameSite: 'lax',
      httpOnly: true,
      secure,
      maxAge: YEAR_IN_MS,
    });
  }
  return chosen;
}

/** Answers in the language that was chosen in this browser, else in the first that the browser asks for and that is spoken here. */
export function inRequestLanguage(request: Request, _response: Response, next: NextFunction): void {
  const chosen = cookieNamed(COOKIE, request);
  // The library's own is the first: who asks for any, or for none, gets it.
  const spoken = request.acceptsLanguages(currentLanguage(), ...LANGUAGES);
  inLanguage(LANGUAGES.find((language) => language === chosen) ?? (spoken || undefined), next);
}
