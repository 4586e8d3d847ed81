import type { KeptFacts } from '#contracts/library/library-facts.js';
import * as m from '#words/messages.js';

/** What each fact is called, above its field and in the list of changes. */
export const FACT_NAMES: Record<keyof KeptFacts, string> = {
  name: m.library_fact_name(),
  shortName: m.library_fact_short_name(),
  address: m.library_fact_address(),
  email: m.library_fact_email(),
  phone: m.library_fact_phone(),
  language: m.library_fact_language(),
  timeZone: m.library_fact_time_zone(),
  currency: m.library_fact_currency(),
  accent: m.library_fact_accent(),
  houseRules: m.library_fact_house_rules(),
  imprint: m.library_fact_imprint(),
  privacy: m.library_fact_privacy(),
  logo: m.library_fact_logo(),
  letters: m.library_fact_letters(),
};
