import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { startProduct } from '../../test-support/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { atEnd, shared } from '../../test-support/shared.js';

const JUNK = [
  '',
  'nonsense',
  '{',
  'null',
  '[]',
  '{"position":1}',
  '{"position":"1.5"}',
  '{"position":"1","borrows":[["x"]]}',
  '{"reportId":"nobody","progress":"most"}',
];

describe('a server that is notified of nonsense', () => {
  const log: string[] = [];
  const sockets: Socket<ServerToClient>[] = [];
  const product = shared(() => startProduct(undefined, { log }));
  atEnd(() => {
    for (const socket of sockets) socket.disconnect();
  });

  it.each(Object.entries(CHANNELS))('serves on after junk on the channel of %s', async (_, channel) => {
    const admin = await product.account('Reader', 'Admin');
    const socket: Socket<ServerToClient> = io(product.url, {
      auth: { token: admin.token },
      transports: ['websocket'],
    });
    sockets.push(socket);
    const seen = { borrows: [] as string[], reports: 0, ended: 0 };
    socket.on('borrow', ({ borrow }) => seen.borrows.push(borrow.id));
    socket.on('report', () => (seen.reports += 1));
    socket.on('sessionEnded', () => (seen.ended += 1));
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));

    for (const payload of JUNK) {
      await product.database.query('select pg_notify($1, $2)', [channel, payload]);
    }
    const { body } = await admin.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    await waitFor(async () => seen.borrows.includes(body.borrowId as string));
    expect(seen).toMatchObject({ reports: 0, ended: 0 });
    expect(socket.connected).toBe(true);
    expect((await admin.get('Borrow')).status).toBe(200);
    // Payloads that are any text. Of the catalogue, an empty one says that many books changed.
    const { outbox, letters, timeZone, holds, rules, simulations } = CHANNELS;
    const unread: string[] = [outbox, letters, timeZone, holds, rules, simulations];
    const malformed = JUNK.filter((text) => channel !== CHANNELS.catalogue || text !== '');
    const told = () => log.filter((line) => line.includes('malformed') && line.includes(`"${channel}"`));
    // The server alone listens to the others; the projections read none.
    if (!unread.includes(channel)) await waitFor(async () => told().length === malformed.length);
    else expect(told()).toEqual([]);
    expect(told().filter((line) => line.includes('nonsense'))).toEqual([]);
  });

  it('has every screen ask again where nobody can say what changed in the lists', async () => {
    const reader = await product.account();
    const socket: Socket<ServerToClient> = io(product.url, {
      auth: { token: reader.token },
      transports: ['websocket'],
    });
    sockets.push(socket);
    await new Promise<void>((resolve) => socket.once('hello', () => resolve()));
    let refetches = 0;
    socket.on('refetch', () => (refetches += 1));
    await product.database.query('select pg_notify($1, $2)', [CHANNELS.readModels, 'nonsense']);
    await waitFor(async () => refetches > 0);
  });
});
