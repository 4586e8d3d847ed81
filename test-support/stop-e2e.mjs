import { rmSync } from 'node:fs';
import stopPostgres from './stop-postgres.mjs';

export default async function stop() {
  await stopPostgres();
  globalThis.removePreparedChromium();
  rmSync(globalThis.preparedDataFolder, { recursive: true, force: true });
}
