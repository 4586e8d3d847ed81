// What another user of the machine tries, who knows where everything is: prints the outcome of each attempt as JSON.
// `node second-user.mjs <ports, with commas> <files, with commas> <folder of PostgreSQL's socket>`
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { createTransport } from 'nodemailer';
import pg from 'pg';

const [, , ports = '', files = '', socketFolder = ''] = process.argv;
const outcomes = [];

async function attempt(what, work) {
  try {
    await work();
    outcomes.push({ what, succeeded: true });
  } catch (error) {
    const { code, message } = error;
    outcomes.push({ what, succeeded: false, error: `${code ?? ''} ${message}` });
  }
}

async function tryEventStore(port) {
  const client = EventStoreDBClient.connectionString(
    `esdb://127.0.0.1:${port}?tls=false&defaultDeadline=3000`,
  );
  // Also without asking for the features first.
  const plain = EventStoreDBClient.connectionString(
    `esdb://127.0.0.1:${port}?tls=false&defaultDeadline=3000`,
  );
  plain.supports = async () => false;
  const event = jsonEvent({ type: 'FinePaid', data: { forged: true } });
  await Promise.all([
    attempt(`${port}: read $all`, async () => {
      const events = client.readAll({ maxCount: 1, deadline: 3000 });
      await events[Symbol.asyncIterator]().next();
    }),
    attempt(`${port}: append`, () => plain.appendToStream('borrows-forged', event)),
    attempt(`${port}: append in a batch`, () => client.appendToStream('borrows-forged', event)),
    attempt(`${port}: delete`, () => client.deleteStream('borrows-forged')),
    attempt(`${port}: tombstone`, () => client.tombstoneStream('borrows-forged')),
  ]);
  await Promise.all([client.dispose(), plain.dispose()]);
}

async function tryMail(port) {
  const timeouts = { connectionTimeout: 3000, greetingTimeout: 3000, socketTimeout: 3000 };
  const transport = createTransport({ host: '127.0.0.1', port, ...timeouts });
  await attempt(`${port}: send`, () =>
    transport.sendMail({ from: 'a@example.org', to: 'b@example.org', text: 'forged' }),
  );
}

async function tryPostgres(user, password) {
  await attempt(`PostgreSQL: ${user}`, async () => {
    const options = { host: socketFolder, port: 5432, database: 'lectern', connectionTimeoutMillis: 3000 };
    const client = new pg.Client({ ...options, user, password });
    client.on('error', () => undefined);
    await client.connect();
    await client.end();
  });
}

const reading = files
  .split(',')
  .map((file) =>
    attempt(file, async () => (statSync(file).isDirectory() ? readdirSync(file) : readFileSync(file))),
  );
const reaching = ports
  .split(',')
  .map(Number)
  .flatMap((port) => [tryEventStore(port), tryMail(port)]);
const connecting = ['lectern', 'library', 'postgres'].flatMap((user) => [
  tryPostgres(user, ''),
  tryPostgres(user, user),
]);
await Promise.all([...reading, ...reaching, ...connecting]);
process.stdout.write(JSON.stringify(outcomes), () => process.exit());
