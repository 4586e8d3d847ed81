import type { Language } from '#contracts/languages.js';
import { nameOfLanguage, siteLanguage } from '../../lib/languages.js';
import { KioskButton } from './kiosk-parts.js';

/** In another language the page is another one: nothing of this one is left. */
export const speak = (language: Language) => window.location.replace(`/?lang=${language}#/kiosk`);

/** The other languages that are spoken here, each in its own words. */
export function Languages({ languages }: { languages: readonly Language[] }) {
  const others = languages.filter((language) => language !== siteLanguage);
  return others.map((language) => (
    <KioskButton key={language} lang={language} onClick={() => speak(language)}>
      {nameOfLanguage(language)}
    </KioskButton>
  ));
}
