// Another user of the machine, who stands where a killed Lectern stood: `node impostor.mjs <event store's port> <data
// folder> <cluster>`. It listens at the port of the event store, at one and on a socket as PostgreSQL, and has the
// cluster among its arguments. Prints the addresses as JSON, then each thing it was told on a line of its own. On the line
// `claim` it holds the name by which the data folder is claimed.
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [, , eventStorePort, dataDir] = process.argv;
/** PostgreSQL's request for the password as it is. */
const PASSWORD_WANTED = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]);
const tell = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const listening = (server, ...address) =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(...address, () => resolve(server.address()));
  });

const postgres = () =>
  createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => tell({ toldPostgres: bytes.toString('latin1') }));
    socket.write(PASSWORD_WANTED);
  });

const folder = mkdtempSync(join(tmpdir(), 'lectern-impostor-'));
chmodSync(folder, 0o777);
const { port } = await listening(postgres(), 0, '127.0.0.1');
await listening(postgres(), join(folder, '.s.PGSQL.5432'));
const eventStore = createHttp2Server();
eventStore.on('sessionError', () => undefined);
eventStore.on('stream', (stream, headers) => {
  tell({ toldEventStore: { ...headers } });
  stream.on('error', () => undefined);
  stream.close();
});
await listening(eventStore, Number(eventStorePort), '127.0.0.1');
tell({ port, folder });
createInterface({ input: process.stdin }).once('line', async () => {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  await listening(
    createServer((socket) => socket.destroy()),
    `\0lectern-${dev}-${ino}`,
  );
  tell({ claimed: true });
});
