/** A new folder that the unprivileged user of the embedded PostgreSQL may pass through. The caller removes it. */
export function temporaryFolder(): string;
