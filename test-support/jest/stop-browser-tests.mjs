import stopPostgres from './stop-postgres.mjs';

export default async function stop() {
  await stopPostgres();
  globalThis.removePreparedChromium?.();
  globalThis.removePreparedChromium = undefined;
}
