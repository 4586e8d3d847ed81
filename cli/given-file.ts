import { access, constants, stat } from 'node:fs/promises';
import * as m from '#words/messages.js';

/** A file that is not there, or not to be read. */
export class FileUnusable extends Error {}

/** @throws FileUnusable */
export async function refuseNoFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) throw new FileUnusable(m.cli_no_file({ file: path }));
  await access(path, constants.R_OK).catch(() => {
    throw new FileUnusable(m.cli_file_forbidden({ file: path }));
  });
}
