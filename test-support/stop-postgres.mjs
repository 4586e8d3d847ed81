import { rmSync } from 'node:fs';

export default async function stop() {
  await globalThis.testPostgres.server.stop();
  rmSync(globalThis.testPostgres.folder, { recursive: true, force: true });
}
