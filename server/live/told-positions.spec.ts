import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io, type Socket } from 'socket.io-client';
import { BUILT_IN } from '#contracts/permissions.js';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { waitFor } from '../../test-support/wait-for.js';
import { VerifyToken } from '../accounts/sessions/sessions.queries.js';
import { BorrowsById } from '../borrowing/borrow.queries.js';
import { CopiesAvailable } from '../catalogue/book.queries.js';
import type { Session } from '../http/access.js';
import type { LiveServer } from './live-server.js';
import { LiveGateway } from './live.gateway.js';

const [ADMIN, READER, BORROW, OTHER] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

const admin: Session = {
  ...{ accountId: ADMIN, pseudonym: ADMIN, username: 'admin', sid: randomUUID() },
  ...{ roles: ['Admin'], ...BUILT_IN.Admin, isStaff: true, mustAddSecondFactor: false },
  ...{ authenticatedAt: new Date(), confirmedAt: null, secondFactorAt: null },
  expiresAt: new Date(Date.now() + 3_600_000),
};

describe('the positions in live messages', () => {
  const http = createServer();
  const server: LiveServer = new Server(http);
  const progress = Object.assign(new EventEmitter(), { position: 5n, log: null });
  const notifications = new EventEmitter();
  let letBorrowsGo: () => void = () => undefined;
  const borrows = new Promise<void>((resolve) => (letBorrowsGo = resolve));
  const queries = {
    execute: async (query: unknown) => {
      if (query instanceof VerifyToken) {
        return admin;
      }
      if (query instanceof CopiesAvailable) return [{ bookId: 1, copiesAvailable: 2 }];
      if (!(query instanceof BorrowsById)) return { totalUsers: 1 };
      await borrows;
      return query.borrowIds.map((id) => ({ id }));
    },
  };
  const watch = {
    forgetUnwatched: () => undefined,
    recheck: () => undefined,
    notifyWatchers: async () => undefined,
  };
  const gateway = new LiveGateway(
    progress as never,
    notifications as never,
    queries as never,
    watch as never,
    createLogger('silent'),
    readSettings({}) as never,
  );
  let socket: Socket<ServerToClient>;
  beforeAll(async () => {
    Object.assign(gateway, { server });
    gateway.afterInit(server);
    gateway.onApplicationBootstrap();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    socket.disconnect();
    await gateway.onApplicationShutdown();
    await server.close();
  });

  const told: string[] = [];
  it('are none that the borrows were not told up to: who is cut off then would never hear of these', async () => {
    socket = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, {
      auth: { token: 'x' },
      transports: ['websocket'],
      reconnection: false,
    });
    for (const name of ['borrow', 'counters', 'copies'] as const) {
      socket.on(name, ({ position }: { position: string }) => told.push(`${name} ${position}`));
    }
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));

    progress.position = 10n;
    progress.emit('change', { position: '10', borrows: [[BORROW, READER]], books: [1] });
    // Another account is counted while the borrow is still being looked up.
    notifications.emit('accounts', READER);
    await waitFor(() => told.length > 0);
    expect(told).toEqual(['counters 5']);
    letBorrowsGo();
    await waitFor(() => told.includes('copies 10') && told.includes('counters 10'));
    expect(told[1]).toBe('borrow 10');
  });

  it('name a change of several borrows with the last of them: who is cut off before has not seen it', async () => {
    await waitFor(() => told.includes('copies 10') && told.includes('counters 10'));
    told.length = 0;
    progress.position = 20n;
    progress.emit('change', {
      position: '20',
      borrows: [
        [BORROW, READER],
        [OTHER, READER],
      ],
    });
    await waitFor(() => told.includes('borrow 20'));
    expect(told.filter((each) => each.startsWith('borrow'))).toEqual(['borrow 10', 'borrow 20']);
  });
});
