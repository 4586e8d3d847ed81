import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CommandBus } from '@nestjs/cqrs';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import type { WatchAnswer } from '#contracts/live/live-messages.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { createLogger } from '#platform/logging.js';
import { waitFor } from '../../test-support/wait-for.js';
import type { LiveServer, LiveSocket } from './live-server.js';
import { ReaderWatch } from './reader-watch.js';

describe('the histories that are watched in a process', () => {
  const http = createServer();
  const server: LiveServer = new Server(http);
  const clients: Socket[] = [];
  const log = { lastRevision: () => Promise.resolve(4n) } as unknown as EventLog;
  const commands = { execute: () => Promise.resolve(randomUUID()) } as unknown as CommandBus;
  const watch = new ReaderWatch(commands, log, createLogger('silent'));
  let url: string;

  beforeAll(async () => {
    watch.forgetUnwatched(server);
    server.on('connection', (socket: LiveSocket) => {
      socket.data.session = {
        accountId: randomUUID(),
        permissions: ['audit'],
      } as unknown as LiveSocket['data']['session'];
      socket.on('watchReader', (message, answer) => void watch.begin(socket, message).then(answer));
      socket.on('unwatchReader', (message) => watch.end(socket, message));
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await server.close();
  });

  async function watcher(readerId: string): Promise<Socket> {
    const client = io(url, { transports: ['websocket'], reconnection: false });
    clients.push(client);
    const answer = (await client.emitWithAck('watchReader', { readerId })) as WatchAnswer;
    expect(answer).toEqual({ kind: 'watching', revision: 4 });
    return client;
  }

  it('are forgotten when the last watcher has left, by a word or by going away', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const [first, second, third] = [await watcher(one), await watcher(one), await watcher(two)];
    expect(watch.watched).toEqual([one, two]);
    third.disconnect();
    await waitFor(() => !watch.watched.includes(two));
    first.emit('unwatchReader', { readerId: one });
    await first.emitWithAck('watchReader', { readerId: two });
    expect(watch.watched).toEqual([one, two]);
    second.disconnect();
    await waitFor(() => !watch.watched.includes(one));
    expect(watch.watched).toEqual([two]);
  });
});
