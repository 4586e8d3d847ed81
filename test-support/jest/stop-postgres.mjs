import { rmSync } from 'node:fs';

export default async function stop() {
  if (!globalThis.testPostgres) return;
  const { server, folder } = globalThis.testPostgres;
  globalThis.testPostgres = undefined;
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
