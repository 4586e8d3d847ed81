/** A new folder that the unprivileged user of the embedded PostgreSQL may pass through. The caller removes it. */
export function temporaryFolder(): string;

/**
 * A new data folder, in which the product opens as it does the second time: a copy of the one that was opened before
 * the tests; empty where there is none. The caller removes it.
 */
export function dataFolder(): string;

/** Makes an empty folder such a copy. */
export function openedBefore(folder: string): void;
