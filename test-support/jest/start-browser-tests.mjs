import startChromium from './start-chromium.mjs';
import startPostgres from './start-postgres.mjs';

/** What browser tests share: PostgreSQL, and npm's Chromium as it is unpacked. */
export default async function start() {
  await Promise.all([startPostgres(), startChromium()]);
}
