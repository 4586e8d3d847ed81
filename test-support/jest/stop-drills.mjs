import { rmSync } from 'node:fs';
import stopBrowserTests from './stop-browser-tests.mjs';

export default async function stop() {
  await stopBrowserTests();
  rmSync(globalThis.preparedDataFolder, { recursive: true, force: true });
}
