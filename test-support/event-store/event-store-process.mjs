// The embedded event store in a process of its own, in the place of EventStoreDB: DATABASE_URL and PORT say where.
import { startEventStore } from '../../dist/embedded/event-store/event-store-server.js';

const store = await startEventStore({
  databaseUrl: process.env.DATABASE_URL,
  port: Number(process.env.PORT),
  lockTimeoutMs: 20_000,
  mayDelete: true,
});
process.stdout.write(`${store.connectionString}\n`);
process.once('SIGTERM', () => void store.stop().finally(() => process.exit(0)));
