import { rmSync } from 'node:fs';
import stopIntegration from './stop-integration.mjs';

export default async function stop() {
  await stopIntegration();
  rmSync(globalThis.preparedDataFolder, { recursive: true, force: true });
}
