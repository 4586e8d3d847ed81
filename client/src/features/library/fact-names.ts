import type { KeptFacts } from '#contracts/library/library-facts.js';

/** What each fact is called, above its field and in the list of changes. */
export const FACT_NAMES: Record<keyof KeptFacts, string> = {
  name: 'Name',
  shortName: 'Short name',
  address: 'Address',
  email: 'Email',
  phone: 'Telephone',
  accent: 'Colour',
  houseRules: 'House rules',
  imprint: 'Imprint',
  privacy: 'Privacy',
  logo: 'Logo',
};
