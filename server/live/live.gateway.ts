import * as m from '#words/messages.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  WebSocketServer,
  type OnGatewayInit,
} from '@nestjs/websockets';
import { z } from 'zod';
import type { Allowed } from '#contracts/permissions.js';
import { listBorrows } from '#contracts/borrowing/borrow-calls.js';
import { listWaiverRequests } from '#contracts/borrowing/waiver-requests.js';
import type { Call } from '#contracts/call.js';
import { listReaderImports } from '#contracts/accounts/reader-import.js';
import { listMarcImports } from '#contracts/catalogue/marc-import.js';
import { readStats } from '#contracts/dashboard/stats.js';
import { DomainError } from '#contracts/domain-error.js';
import {
  LIVE_PATH,
  type LiveRefusal,
  type ResumeAnswer,
  type ServerToClient,
  type WatchAnswer,
} from '#contracts/live/live-messages.js';
import { listReports } from '#contracts/reports/report.js';
import {
  Notifications,
  type NotificationEvents,
  type ReadModelChange,
} from '#platform/database/notifications.js';
import { withDeadlineTimeout } from '#platform/deadline.js';
import { inLanguage } from '#platform/language.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { VerifyToken } from '../accounts/sessions/sessions.queries.js';
import { BorrowsById, BorrowsChangedSince } from '../borrowing/borrow.queries.js';
import { HoldCounts } from '../borrowing/holds/hold.queries.js';
import { CopiesAvailable } from '../catalogue/book.queries.js';
import { DashboardCounters } from '../dashboard/dashboard.queries.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { mayMake, type Session } from '../http/access.js';
import { builtSite } from '../http/site-build.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';
import { ChangeQueue } from './change-queue.js';
import { Coalescer } from './coalescer.js';
import { ConnectionLimit, TokenBucket } from './live-limits.js';
import type { LiveServer, LiveSocket } from './live-server.js';
import { ReaderWatch } from './reader-watch.js';
import { SingleFlight } from './single-flight.js';

/** Who may see what, as the calls say by which screens ask for the same. */
const SEEN_BY = {
  borrows: roomsOf(listBorrows),
  counters: roomsOf(readStats),
  reports: roomsOf(listReports),
  waivers: roomsOf(listWaiverRequests),
  records: roomsOf(listMarcImports),
  readers: roomsOf(listReaderImports),
};
const reader = (pseudonym: string) => `reader:${pseudonym}`;
const account = (accountId: string) => `account:${accountId}`;

/** Counters are sent at most once within this many milliseconds. */
const COUNTERS_EVERY = 100;
/** Copies go to every client: those of the changes within this many milliseconds go together. */
const COPIES_EVERY = 100;
/** Clients are asked to refetch after a change of a reader at most once within this many milliseconds. */
const READERS_EVERY = 500;
/** Milliseconds within which clients leave a closing process, at most; one millisecond per client. */
const LEAVING = { least: 400, most: 4_000 };
/** A client that missed more borrows than this refetches its lists. */
const MAX_MISSED = 200;

/** Milliseconds for what is looked up for a client; sockets have no call that would set a deadline. */
const LOOKING_UP = 4_000;

/** Messages may come at once that are allowed within so many seconds. */
const BURST_SECONDS = 5;
/** All connections of an account may send as much as so many. */
const ACCOUNT_SHARE = 5;
const tooManyMessages = (): LiveRefusal => ({
  kind: 'refused',
  code: 'TooManyAttempts',
  detail: m.live_too_many_messages(),
});

/** Positions are 64-bit numbers. */
const MAX_POSITION = 2n ** 63n - 1n;
const resumeSchema = z.object({
  position: z
    .string()
    .regex(/^(-1|\d{1,19})$/)
    .transform(BigInt)
    .refine((position) => position <= MAX_POSITION),
});

/**
 * Pushes what the projection committed to the clients that may see it. Each server process listens to PostgreSQL
 * and serves its own sockets, so processes need no other connection.
 */
@WebSocketGateway({ path: LIVE_PATH, serveClient: false, cors: false, transports: ['websocket', 'polling'] })
export class LiveGateway implements OnGatewayInit, OnApplicationBootstrap, OnApplicationShutdown {
  @WebSocketServer() private readonly server!: LiveServer;
  private readonly accounts: ConnectionLimit;
  /** By socket, and by account for all its sockets together. */
  private readonly messages: TokenBucket;
  private readonly messagesOfAccounts: TokenBucket;
  private readonly refusals: TokenBucket;
  private readonly changes = new ChangeQueue((change) => this.tell(change));
  private readonly copies = new Coalescer<number>(COPIES_EVERY, (books) => this.tellCopies(books));
  private readonly holds = new Coalescer<number>(COPIES_EVERY, (books) => this.tellHolds(books));
  private readonly counters = new Coalescer<'counters'>(COUNTERS_EVERY, () => this.tellCounters());
  /**
   * The position up to which clients were told of borrows. No message may name a later one: a client that comes back asks
   * for what is after the last that it has seen.
   */
  private told = '-1';
  /** What clients that come back at the same time are told is looked up once. */
  private readonly resumed = new SingleFlight();
  /** Changes of accounts so far: sessions that were read before the last one may be out of date. */
  private accountChanges = 0;
  /** Serialized: otherwise rows read before a change could be sent after it. */
  private rechecks: Promise<void> = Promise.resolve();
  private refetchTimer: NodeJS.Timeout | undefined;
  private readonly toRefetch = new Set<string>();
  private readonly onChange = (change: ReadModelChange) => this.changes.add(change);
  private readonly onAccount = (accountId: string) => {
    this.accountChanges += 1;
    this.recheckSoon(accountId);
    this.onCounts();
  };
  private readonly onReader = (accountId: string) => this.refetchSoon(account(accountId));
  /** What may be done with a borrow depends on it. */
  private readonly onReaderKind = (pseudonym: string) => this.refetchSoon(reader(pseudonym));
  /** Books and accounts are counted on the dashboard. */
  private readonly onCounts = () => {
    if (this.isAnyIn(SEEN_BY.counters)) this.counters.add(['counters']);
  };
  private readonly onReport: ServerToClient['report'] = (report) => {
    this.server.to(SEEN_BY.reports).emit('report', report);
  };
  private readonly onImport: ServerToClient['importProgress'] = (progress) => {
    this.server.to(SEEN_BY[progress.of]).emit('importProgress', progress);
  };
  private readonly onWaiver = ({ askedBy, ...answered }: NotificationEvents['waivers'][0]) => {
    this.server.to(SEEN_BY.waivers).emit('waivers');
    if (answered.state !== 'open') this.server.to(reader(askedBy)).emit('waiverAnswered', answered);
  };
  private readonly onRules = () => void this.server.emit('rules');
  private readonly onGap = () => {
    this.accountChanges += 1;
    this.recheckSoon();
  };

  constructor(
    private readonly progress: ReadModelProgress,
    private readonly notifications: Notifications,
    private readonly queries: QueryBus,
    private readonly watch: ReaderWatch,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.accounts = new ConnectionLimit(settings.LIVE_SOCKETS_PER_ACCOUNT);
    const perSecond = settings.LIVE_MESSAGES_PER_SECOND;
    this.messages = new TokenBucket(BURST_SECONDS * perSecond, perSecond);
    this.messagesOfAccounts = new TokenBucket(
      ACCOUNT_SHARE * BURST_SECONDS * perSecond,
      ACCOUNT_SHARE * perSecond,
    );
    this.refusals = new TokenBucket(ACCOUNT_SHARE * BURST_SECONDS * perSecond, perSecond);
  }

  /** Clients connected to this process. */
  get connected(): number {
    return this.server.sockets.sockets.size;
  }

  afterInit(server: LiveServer): void {
    server.use((socket, next) => {
      const { token } = socket.handshake.auth as { token?: unknown };
      const { accountChanges } = this;
      void inOwnLanguage(socket, () =>
        this.verify(typeof token === 'string' ? token : '')
          .then((session) => {
            socket.data.session = session;
            socket.data.accountChanges = accountChanges;
            this.admit(socket, session.accountId);
            next();
          })
          .catch((error: unknown) => next(refusalOf(error))),
      );
    });
    server.on('connection', (socket) => this.welcome(socket));
    this.watch.forgetUnwatched(server);
  }

  onApplicationBootstrap(): void {
    this.told = this.progress.position.toString();
    this.progress.on('change', this.onChange);
    this.notifications.on('accounts', this.onAccount);
    this.notifications.on('readers', this.onReader);
    this.notifications.on('readerKinds', this.onReaderKind);
    this.notifications.on('catalogue', this.onCounts);
    this.notifications.on('reports', this.onReport);
    this.notifications.on('waivers', this.onWaiver);
    this.notifications.on('imports', this.onImport);
    this.notifications.on('rules', this.onRules);
    this.notifications.on('gap', this.onGap);
  }

  async onApplicationShutdown(): Promise<void> {
    this.progress.off('change', this.onChange);
    this.notifications.off('accounts', this.onAccount);
    this.notifications.off('readers', this.onReader);
    this.notifications.off('readerKinds', this.onReaderKind);
    this.notifications.off('catalogue', this.onCounts);
    this.notifications.off('reports', this.onReport);
    this.notifications.off('waivers', this.onWaiver);
    this.notifications.off('imports', this.onImport);
    this.notifications.off('rules', this.onRules);
    this.notifications.off('gap', this.onGap);
    clearTimeout(this.refetchTimer);
    await this.changes.settled();
    await Promise.all([this.copies.stop(), this.holds.stop(), this.counters.stop(), this.rechecks]);
  }

  /**
   * Asks every client to reconnect elsewhere, and waits until they have left. They leave spread over a moment, so
   * that the other processes are not overrun. New connections must be impossible by then.
   */
  async disconnectGradually(): Promise<void> {
    if (this.connected === 0) return;
    const withinMs = Math.min(LEAVING.least + this.connected, LEAVING.most);
    this.server.emit('restarting', { withinMs });
    const until = Date.now() + withinMs + LEAVING.least;
    while (this.connected > 0 && Date.now() < until) await sleep(20);
  }

  private isAnyIn(rooms: readonly string[]): boolean {
    return rooms.some((room) => this.server.sockets.adapter.rooms.has(room));
  }

  /** @throws TooManyAttempts when the account has all the connections that it may have */
  private admit(socket: LiveSocket, accountId: string): void {
    const { conn } = socket.client;
    if (!this.accounts.allows(accountId)) throw new TooManyAttempts(60);
    const leave = this.accounts.enter(accountId);
    conn.once('close', leave);
    // It may be gone already: then nobody tells of it.
    if (conn.readyState === 'closed') leave();
  }

  /** Refuses what comes faster than any screen asks; who goes on all the same is disconnected. */
  private throttle(socket: LiveSocket): void {
    socket.use((packet, next) => {
      const { accountId } = socket.data.session;
      if (this.messages.take(socket.id) && this.messagesOfAccounts.take(accountId)) {
        return inOwnLanguage(socket, next);
      }
      const answer: unknown = packet.at(-1);
      if (!this.refusals.take(socket.id)) {
        this.logger.warn({ accountId }, 'a live connection sent too much, and was closed');
        socket.disconnect(true);
      } else if (typeof answer === 'function') {
        (answer as (refusal: LiveRefusal) => void)(inOwnLanguage(socket, tooManyMessages));
      }
    });
  }

  private verify(token: string): Promise<Session> {
    return inTime(() => this.queries.execute(new VerifyToken({ token })));
  }

  private welcome(socket: LiveSocket): void {
    const { session } = socket.data;
    this.throttle(socket);
    void socket.join([reader(session.pseudonym), account(session.accountId)]);
    joinByPermissions(socket);
    const ends = setTimeout(
      () => end(socket, 'expired'),
      Math.min(session.expiresAt.getTime() - Date.now(), 2 ** 31 - 1),
    );
    socket.on('disconnect', () => clearTimeout(ends));
    const { position, log } = this.progress;
    socket.emit('hello', { position: position.toString(), log, build: builtSite()?.build ?? null });
    socket.emit('roles', mayDo(session));
    // Changes between the handshake and here could not reach this socket yet.
    if (socket.data.accountChanges !== this.accountChanges) {
      this.enqueueRecheck(() => this.recheckSocket(socket));
    }
  }

  /** After a reconnect: sends what this client has missed. */
  @SubscribeMessage('resume')
  async resume(
    @ConnectedSocket() socket: LiveSocket,
    @MessageBody() message: unknown,
  ): Promise<ResumeAnswer> {
    // Taken before the query, so that nothing falls in between.
    const position = this.progress.position.toString();
    const parsed = resumeSchema.safeParse(message);
    if (!parsed.success) {
      const detail = m.live_position_invalid({ most: String(MAX_POSITION) });
      return { kind: 'refused', code: 'ValidationFailed', detail };
    }
    return inTime(() => this.missedSince(socket, parsed.data.position, position));
  }

  private async missedSince(socket: LiveSocket, since: bigint, position: string): Promise<ResumeAnswer> {
    const { session } = socket.data;
    if (!mayMake(listBorrows, session)) {
      const query = new BorrowsChangedSince({
        position: since,
        most: MAX_MISSED,
        readerId: session.pseudonym,
      });
      const borrows = await this.queries.execute(query);
      return borrows ? { kind: 'missed', position, borrows } : { kind: 'refetch', position };
    }
    // Asked at the same position, the rows have at least what it speaks of.
    const maySeeCounters = mayMake(readStats, session);
    const [borrows, stats] = await Promise.all([
      this.resumed.get(`borrows ${since} ${position}`, () =>
        this.queries.execute(new BorrowsChangedSince({ position: since, most: MAX_MISSED })),
      ),
      maySeeCounters
        ? this.resumed.get(`counters ${position}`, () => this.queries.execute(new DashboardCounters()))
        : undefined,
    ]);
    return borrows
      ? { kind: 'missed', position, borrows, ...(stats && { stats }) }
      : { kind: 'refetch', position };
  }

  @SubscribeMessage('watchReader')
  watchReader(@ConnectedSocket() socket: LiveSocket, @MessageBody() message: unknown): Promise<WatchAnswer> {
    return inTime(() => this.watch.begin(socket, message));
  }

  @SubscribeMessage('unwatchReader')
  unwatchReader(@ConnectedSocket() socket: LiveSocket, @MessageBody() message: unknown): void {
    this.watch.end(socket, message);
  }

  private async tell(change: ReadModelChange): Promise<void> {
    const { position } = change;
    if (this.connected > 0) await this.orLookAgain(position, () => this.tellBorrows(change));
    this.told = position;
    if (this.connected === 0) return;
    this.copies.add(change.books ?? []);
    this.holds.add(change.holds ?? []);
    for (const holder of change.holders ?? []) {
      this.server.to(reader(holder)).emit('holds', { position, books: [], mine: true });
    }
    this.onCounts();
    await this.orLookAgain(position, () => this.watch.notifyWatchers(this.server, change));
  }

  private async tellBorrows({ position, borrows }: ReadModelChange): Promise<void> {
    if (!borrows) return void this.server.emit('refetch', { position });
    const areAllWatched = this.isAnyIn(SEEN_BY.borrows);
    const watched = borrows.filter(([, readerId]) => areAllWatched || this.isAnyIn([reader(readerId)]));
    if (watched.length === 0) return;
    const readers = new Map(watched);
    const told = await this.queries.execute(new BorrowsById({ borrowIds: [...readers.keys()] }));
    for (const [at, borrow] of told.entries()) {
      // Only the last speaks of the whole change: who is cut off in the midst of it has not seen the rest.
      const seen = at === told.length - 1 ? position : this.told;
      this.server
        .to([...SEEN_BY.borrows, reader(readers.get(borrow.id) ?? '')])
        .emit('borrow', { position: seen, borrow });
    }
  }

  private tellCopies(bookIds: number[]): Promise<void> {
    // Taken before the query, so that the counts are not older.
    const position = this.told;
    return this.orLookAgain(position, async () => {
      const books = await this.queries.execute(new CopiesAvailable({ bookIds }));
      this.server.emit('copies', { position, books });
    });
  }

  private tellHolds(bookIds: number[]): Promise<void> {
    const position = this.told;
    return this.orLookAgain(position, async () => {
      const books = await this.queries.execute(new HoldCounts({ bookIds }));
      this.server.emit('holds', { position, books, mine: false });
    });
  }

  private async tellCounters(): Promise<void> {
    const position = this.told;
    try {
      const stats = await inTime(() => this.queries.execute(new DashboardCounters()));
      this.server.to(SEEN_BY.counters).emit('counters', { position, stats });
    } catch (error) {
      this.logger.warn({ error }, 'the counters could not be read');
    }
  }

  /** What cannot be told in time, the screens are to ask for. */
  private async orLookAgain(position: string, tell: () => Promise<void>): Promise<void> {
    try {
      await inTime(tell);
    } catch (error) {
      this.logger.warn({ error }, 'a change could not be told; the screens are asked to look again');
      this.server.emit('refetch', { position });
    }
  }

  /** Lists of borrows have the reader's name, and what they may do: everybody who may see them is asked to refetch. */
  private refetchSoon(room: string): void {
    this.toRefetch.add(room);
    this.refetchTimer ??= setTimeout(() => {
      this.refetchTimer = undefined;
      const rooms = [...SEEN_BY.borrows, ...this.toRefetch];
      this.toRefetch.clear();
      this.server.to(rooms).emit('refetch', { position: this.told });
    }, READERS_EVERY);
  }

  /** Checks the sockets of one account again, or all. */
  private recheckSoon(accountId?: string): void {
    this.enqueueRecheck(async () => {
      const sockets = [...this.server.sockets.sockets.values()] as LiveSocket[];
      for (const socket of sockets) {
        if (accountId !== undefined && socket.data.session.accountId !== accountId) continue;
        await this.recheckSocket(socket);
      }
    });
  }

  private enqueueRecheck(recheck: () => Promise<void>): void {
    this.rechecks = this.rechecks.then(recheck).catch((error: unknown) => {
      this.logger.warn({ error }, 'the live sockets could not be looked at again');
    });
  }

  /** Disconnects the socket if its session has ended; changes its rooms and notifies it if its rights changed. */
  private async recheckSocket(socket: LiveSocket): Promise<void> {
    const { token } = socket.handshake.auth as { token: string };
    const before = JSON.stringify(mayDo(socket.data.session));
    try {
      socket.data.session = await this.verify(token);
    } catch (error) {
      // A database outage is no revocation: only a refusal ends a session.
      if (error instanceof DomainError) end(socket, 'revoked');
      return;
    }
    joinByPermissions(socket);
    this.watch.recheck(socket);
    const now = mayDo(socket.data.session);
    if (JSON.stringify(now) !== before) socket.emit('roles', now);
  }
}

const mayDo = ({ roles, permissions, mustAddSecondFactor }: Session) => ({
  ...{ roles, permissions: [...permissions], mustAddSecondFactor },
});

function joinByPermissions(socket: LiveSocket): void {
  const { session } = socket.data;
  for (const room of new Set(Object.values(SEEN_BY).flat())) {
    if (session.permissions.some((each) => roomOf(each) === room)) void socket.join(room);
    else void socket.leave(room);
  }
}

function roomOf(may: Allowed): string {
  return `may:${may}`;
}

function roomsOf(call: Call): string[] {
  return call.may.map(roomOf);
}

/** A database that hangs must not keep a socket, nor those that wait behind it. */
function inTime<Result>(work: () => Promise<Result>): Promise<Result> {
  return withDeadlineTimeout(LOOKING_UP, work, 'no answer in time');
}

/** What the client is told of a connection that is refused: the code, and the sentence beside it. */
function refusalOf(error: unknown): Error {
  if (!(error instanceof DomainError)) return new Error('Unexpected');
  const { code, detail } = error;
  return Object.assign(new Error(code), { data: { code, detail } });
}

/** Whatever a socket is refused is said in the language of its page. */
function inOwnLanguage<Result>({ handshake }: LiveSocket, work: () => Result): Result {
  const { language } = handshake.auth as { language?: string };
  return inLanguage(language, work);
}

function end(socket: LiveSocket, reason: 'expired' | 'revoked'): void {
  socket.emit('sessionEnded', { reason });
  socket.disconnect(true);
}
