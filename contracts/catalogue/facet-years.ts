/** How a facet names years: `1994`, or the decade `1990s`. */
export const YEAR_SHAPE = /^(?:\d{1,4}|\d{0,3}0s)$/;
