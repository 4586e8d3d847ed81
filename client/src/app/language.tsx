import { useLocation } from 'react-router-dom';
import { chooseLanguage } from '#contracts/accounts/account-calls.js';
import { LANGUAGES, type Language } from '#contracts/languages.js';
import { readCurrencyBy } from '#contracts/currency.js';
import { readLocaleBy } from '#words/locale.js';
import { served } from '../domain/library.js';
import { nameOfLanguage, siteLanguage } from '../lib/languages.js';
import { send } from '../lib/api/send.js';
import { session } from '../lib/session.js';

readLocaleBy(() => siteLanguage);
readCurrencyBy(() => served('currency'));

/** The same place in another language. */
const addressIn = (language: Language) => `/?lang=${language}${window.location.hash}`;

// What the address named is the browser's choice from here on; the address is the same as before.
if (new URLSearchParams(window.location.search).has('lang'))
  window.history.replaceState(window.history.state, '', `/${window.location.hash}`);

// Whoever signs in reads on in what they chose before, once the page that follows has its address.
session.subscribe(() => {
  const language = session.current()?.language;
  if (language && language !== siteLanguage) setTimeout(() => window.location.assign(addressIn(language)));
});

async function readIn(language: Language): Promise<void> {
  const user = session.current();
  if (user) {
    await send(chooseLanguage, { body: { language } });
    session.begin({ ...user, language });
  }
  window.location.assign(addressIn(language));
}

/** The other languages that the library's site can be read in, each in its own words. */
export const otherLanguages = LANGUAGES.filter((language) => language !== siteLanguage).map((language) => ({
  language,
  name: nameOfLanguage(language),
  choose: () => void readIn(language).catch((error: unknown) => window.reportError?.(error)),
}));

export function LanguageLinks() {
  const { pathname, search } = useLocation();
  return otherLanguages.map(({ language, name, choose }) => (
    <li key={language}>
      <a
        href={`/?lang=${language}#${pathname}${search}`}
        hrefLang={language}
        lang={language}
        className="inline-flex items-center min-h-11 text-accent-text"
        onClick={(event) => {
          event.preventDefault();
          choose();
        }}
      >
        {name}
      </a>
    </li>
  ));
}
