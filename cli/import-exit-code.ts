/** Exit codes of the import. */
export const EXIT = { failed: 1, unreadable: 2, stopped: 130 } as const;
