import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder that the unprivileged user of the embedded PostgreSQL may pass through. The caller removes it. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  chmodSync(folder, 0o711);
  return folder;
}
