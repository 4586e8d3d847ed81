import { iso31661 } from 'iso-3166';

/** A country of ISO 3166-1: its two codes, its English short name and its number, which keeps its zeros. */
export interface Country {
  code: string;
  code3: string;
  name: string;
  number: string;
}

/** The everyday names of countries whose name in the standard is longer, by code. */
const EVERYDAY_NAMES: Partial<Record<string, string>> = {
  BN: 'Brunei',
  BO: 'Bolivia',
  CD: 'Congo (Democratic Republic)',
  FK: 'Falkland Islands',
  FM: 'Micronesia',
  GB: 'United Kingdom',
  IR: 'Iran',
  KP: 'North Korea',
  KR: 'South Korea',
  LA: 'Laos',
  MD: 'Moldova',
  NL: 'Netherlands',
  PS: 'Palestine',
  RU: 'Russia',
  ST: 'São Tomé and Príncipe',
  SY: 'Syria',
  TW: 'Taiwan',
  TZ: 'Tanzania',
  US: 'United States',
  VA: 'Vatican City',
  VE: 'Venezuela',
  VN: 'Vietnam',
};

/** The fixed list that a reader's country is chosen from, by name (specification, sections 2 and 3). */
export const COUNTRIES: readonly Country[] = iso31661
  .map(({ alpha2, alpha3, numeric, name }) => ({
    code: alpha2,
    code3: alpha3,
    name: EVERYDAY_NAMES[alpha2] ?? name,
    number: numeric,
  }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'));
