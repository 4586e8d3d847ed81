import { COUNTRIES } from '#contracts/accounts/countries.js';
import { pageLanguage } from '../../lib/texts.js';

const language = pageLanguage();
const names = new Intl.DisplayNames(language, { type: 'region' });
const shownOf = ({ code, name }: (typeof COUNTRIES)[number]) =>
  language === 'en' ? name : (names.of(code) ?? name);

/** How countries are called in the language of the page, and in its order, by the English names that are stored. */
export const COUNTRY_NAMES: ReadonlyMap<string, string> = new Map(
  COUNTRIES.map((country): [string, string] => [country.name, shownOf(country)]).sort(([, one], [, other]) =>
    one.localeCompare(other, language),
  ),
);
