import { channel } from 'node:diagnostics_channel';

/**
 * Whoever waits for rows says so here. A projection of the same process gathers no further events then; one of another
 * process is done gathering in a moment anyway.
 */
export const rowsAwaited = channel('lectern.rows-awaited');
