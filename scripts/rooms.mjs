/** The folders of the product's source. */
export const ROOMS = [
  'contracts',
  'borrowing',
  'copies',
  'platform',
  'server',
  'projections',
  'embedded',
  'cli',
  'client',
];
