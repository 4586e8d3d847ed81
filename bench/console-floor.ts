import { createServer } from 'node:http';
import { Server } from 'socket.io';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { ToldEvent } from './console-load.js';

/** What the floor's process is asked: to tell so many events, one every so many milliseconds. */
export interface ConsoleFloorOrder {
  events: number;
  everyMs: number;
  /** Whose borrows they are, in turns. */
  pseudonyms: string[];
}

const ADMINS = 'admins';
/** Of three events of a borrow, two move copies: renting and returning. */
const MOVES_COPIES = [true, false, true];
const COUNTERS_EVERY = 100;

/**
 * A bare socket.io server that sends what the product would, out of nothing: to queues every borrow and the counters, to
 * readers their own borrows, to everybody the copies. Runs in a process of its own.
 */
export function runConsoleFloor(): void {
  const http = createServer();
  const server = new Server(http, { serveClient: false });
  server.on('connection', (socket) => {
    const { token } = socket.handshake.auth as { token: string };
    void socket.join(token);
    socket.emit('hello', { position: '0', log: null });
  });
  http.listen(0, '127.0.0.1', () => {
    const address = http.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
  });
  process.on('message', ({ events, everyMs, pseudonyms }: ConsoleFloorOrder) => {
    const told: ToldEvent[] = [];
    let counters: NodeJS.Timeout | undefined;
    const timer = setInterval(() => {
      const event = tell(server, told.length + 1, pseudonyms[told.length % pseudonyms.length] ?? '');
      told.push(event);
      counters ??= setTimeout(() => {
        counters = undefined;
        server.to(ADMINS).emit('counters', { position: event.position, stats: STATS });
      }, COUNTERS_EVERY);
      if (told.length < events) return;
      clearInterval(timer);
      process.send?.(told);
    }, everyMs);
  });
  process.once('disconnect', () => void server.close());
}

const STATS = {
  totalBooks: 5_000,
  booksBorrowedLastMonth: 1_000,
  booksAddedLastMonth: 5_000,
  totalUsers: 420,
  activeBorrows: 20,
  expiredRents: 0,
};

function tell(server: Server, number: number, pseudonym: string): ToldEvent {
  const position = String(number);
  const stored = Date.now();
  const bookIds = MOVES_COPIES[number % MOVES_COPIES.length] ? [number] : [];
  const borrow: BorrowView = {
    id: `00000000-0000-4000-8000-${position.padStart(12, '0')}`,
    user: { id: pseudonym, fullname: 'Zofia Nałkowska' },
    borrowedBooks: [{ bookId: number, title: 'A book to measure with, volume 17' }],
    rentDate: new Date(stored).toISOString(),
    collectBy: new Date(stored).toISOString(),
    issueDate: null,
    dueDate: null,
    returnDate: null,
    status: 'Rented',
    fineAmount: 0,
    books: [],
    lossAmount: 0,
    fineWaived: 0,
    refundDue: 0,
    finePaid: 0,
    fineDue: 0,
    renewals: 0,
    availableActions: ['issue'],
    undo: [],
    position,
  };
  server.to([ADMINS, pseudonym]).emit('borrow', { position, borrow });
  for (const bookId of bookIds) {
    server.emit('copies', { position, books: [{ bookId, copiesAvailable: 17 }] });
  }
  return { position, stored, bookIds };
}
