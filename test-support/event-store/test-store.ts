import { startEventStore, type EventStoreOptions } from '../../embedded/event-store/event-store-server.js';
import { EVENT_STORE_COMMAND, startByCommand, type StoreOfOwn } from './event-store-command.js';

/**
 * Starts the store that the tests speak to, with an empty log: the embedded one, or the one that TEST_EVENT_STORE_COMMAND
 * runs. The caller stops it.
 * @param options of the embedded one, which is also meant where TLS or credentials are asked for
 */
export async function startTestStore(options: EventStoreOptions): Promise<StoreOfOwn> {
  const isEmbedded = options.tls !== undefined || options.credentials !== undefined;
  if (EVENT_STORE_COMMAND && !isEmbedded) return startByCommand(EVENT_STORE_COMMAND);
  const store = await startEventStore(options);
  return { url: store.connectionString, stop: () => store.stop() };
}
