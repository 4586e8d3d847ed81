/** The facets of which several values can be chosen. */
export const FACETS = ['genre', 'author', 'publisher', 'year', 'language'] as const;
export type Facet = (typeof FACETS)[number];

/** How the facet of years names them: `1994`, or the decade `1990s`. */
export const YEAR_PATTERN = /^(?:\d{1,4}|\d{0,3}0s)$/;
