import { rmSync } from 'node:fs';
import stopPostgres from './stop-postgres.mjs';

export default async function stop() {
  await stopPostgres();
  rmSync(globalThis.preparedDataFolder, { recursive: true, force: true });
}
