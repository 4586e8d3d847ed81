/** The name of a library that has none of its own (`APP_TITLE`), by its wording (`LABELS`); specification, section 1. */
export const APP_TITLES = { 'as-found': 'The dating app', corrected: 'Lectern' } as const;
