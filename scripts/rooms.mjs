/** The folders of the product's source. */
export const ROOMS = [
  'contracts',
  'circulation',
  'copies',
  'platform',
  'server',
  'projections',
  'embedded',
  'cli',
  'client',
];
