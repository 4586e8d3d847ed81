import { rmSync } from 'node:fs';
import { endProductOfProcess } from './product-of-process.cjs';

export default async function stop() {
  if (!globalThis.testPostgres) return;
  const { server, folder } = globalThis.testPostgres;
  globalThis.testPostgres = undefined;
  await endProductOfProcess();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
