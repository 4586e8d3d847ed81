/** The folders of the product's source. */
export const ROOMS = [
  'contracts',
  'circulation',
  'copies',
  'platform',
  'letters',
  'rules',
  'server',
  'projections',
  'embedded',
  'cli',
  'client',
];
