import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import startBrowserTests from './start-browser-tests.mjs';
import { temporaryFolder } from '../../dist/test-support/installation/temporary-folder.js';

const START = fileURLToPath(new URL('../../dist/embedded/start.js', import.meta.url));

/**
 * What drills share: what browser tests do, and a data folder that was opened once, to begin with a copy of.
 */
export default async function start() {
  await Promise.all([startBrowserTests(), prepareDataFolder()]);
}

async function prepareDataFolder() {
  const folder = temporaryFolder();
  const product = spawn(process.execPath, [START], {
    env: { ...process.env, NODE_ENV: 'development', NODE_OPTIONS: '', DATA_DIR: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(product, 'exit');
  let output = '';
  let isClosing = false;
  for (const stream of [product.stdout, product.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
      // Once: a second signal would end it before it has closed.
      if (isClosing || !output.includes('Lectern is open.')) return;
      isClosing = true;
      product.kill('SIGTERM');
    });
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`The product did not open and close on a new folder:\n${output}`);
  globalThis.preparedDataFolder = folder;
  process.env.TEST_DATA_FOLDER = folder;
}
