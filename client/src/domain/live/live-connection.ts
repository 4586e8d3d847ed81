import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import {
  LIVE_PATH,
  type ClientToServer,
  type ResumeAnswer,
  type ServerToClient,
} from '#contracts/live/live-messages.js';
import { invalidate, queryKeys } from '../query-keys.js';
import { session } from '../../lib/session.js';
import { liveCaches } from './live-caches.js';
import { liveStatus, type LiveState } from './live-status.js';
import { notifyNewVersion } from './new-version-notice.js';
import { later } from './recent-messages.js';
import { watchOver } from './watch-reader.js';

/** The screens say Offline after this long without a connection. */
const OFFLINE_AFTER_MS = 10_000;
/** Timeout for the answer to `resume`; after it, everything is refetched. */
const RESUME_MS = 4000;
/** After the server closed or refused the connection. */
const KNOCK_AGAIN_MS = 3000;

interface LiveSession {
  token: string;
  client: QueryClient;
  onSessionEnded: () => void;
}

/** Keeps one connection for the signed-in user, and the caches up to date. @returns a function that closes it */
export function openLive({ token, client, onSessionEnded }: LiveSession): () => void {
  const socket: Socket<ServerToClient, ClientToServer> = io({
    path: LIVE_PATH,
    auth: { token, language: document.documentElement.lang },
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    reconnectionDelay: 400,
    reconnectionDelayMax: 4000,
  });
  const close = follow(socket, client, onSessionEnded);
  return () => {
    close();
    liveStatus.set({ state: 'reconnecting', currentAt: null });
  };
}

function follow(
  socket: Socket<ServerToClient, ClientToServer>,
  client: QueryClient,
  onSessionEnded: () => void,
): () => void {
  const caches = liveCaches(client);
  const buffer = messageBuffer<() => void>((apply) => apply());
  const watches = watchOver(socket);
  /** The last position this client has seen; null before the first hello. */
  let seen: string | null = null;
  /** The log that positions speak of, as far as it is known. */
  let log: string | null = null;
  /** Between a reconnect and the answer to `resume`: what arrives meanwhile must not hide what was missed. */
  let catchingUp = false;
  let arrivedMeanwhile = '0';
  let offlineTimer: number | undefined;
  let knockTimer: number | undefined;
  let moveTimer: number | undefined;

  const say = (state: LiveState) =>
    liveStatus.set({ state, currentAt: state === 'live' ? Date.now() : liveStatus.get().currentAt });
  const see = (position: string) => {
    if (catchingUp) arrivedMeanwhile = later(position, arrivedMeanwhile);
    else seen = seen === null ? position : later(position, seen);
  };

  const lost = () => {
    // Until now the screens were current; from here on they age.
    if (liveStatus.get().state === 'live') liveStatus.set({ state: 'reconnecting', currentAt: Date.now() });
    offlineTimer ??= window.setTimeout(() => say('offline'), OFFLINE_AFTER_MS);
    // Closed or refused by the server: the library only reconnects by itself after a loss.
    if (!socket.active) {
      window.clearTimeout(knockTimer);
      knockTimer = window.setTimeout(() => socket.connect(), KNOCK_AGAIN_MS);
    }
  };
  const found = () => {
    window.clearTimeout(offlineTimer);
    offlineTimer = undefined;
    say('live');
  };
  const caughtUp = (answer: ResumeAnswer) => {
    catchingUp = false;
    if (answer.kind === 'refused') {
      see(arrivedMeanwhile);
      return caches.refetch();
    }
    see(later(answer.position, arrivedMeanwhile));
    if (answer.kind === 'refetch') return caches.refetch();
    answer.borrows.forEach(caches.borrow);
    if (answer.stats) caches.counters(answer.position, answer.stats);
    invalidate(
      client,
      queryKeys.books,
      queryKeys.holds,
      queryKeys.reports,
      queryKeys.rules,
      queryKeys.marcImports,
      queryKeys.readerImports,
    );
  };

  const resume = (position: string) => {
    catchingUp = true;
    socket.timeout(RESUME_MS).emit('resume', { position }, (failed: Error | null, answer: ResumeAnswer) => {
      if (failed) caches.refetch();
      else caughtUp(answer);
      if (socket.connected) found();
    });
  };

  socket.on('disconnect', lost);
  socket.on('connect_error', lost);
  socket.on('hello', ({ position, log: present, build }) => {
    watches.again();
    notifyNewVersion(build);
    if (log !== null && present !== null && present !== log) {
      // The log was moved while we were away: its positions cannot be compared with the ones that we have.
      catchingUp = false;
      arrivedMeanwhile = '0';
      seen = null;
      caches.startOver();
    }
    log = present ?? log;
    if (seen === null) {
      // Lists requested before we were listening may have missed something.
      seen = position;
      caches.refetch(Date.now());
      return found();
    }
    resume(seen);
  });
  socket.on('borrow', ({ position, borrow }) => {
    see(position);
    buffer.push(() => caches.borrow(borrow));
  });
  socket.on('counters', ({ position, stats }) => {
    see(position);
    buffer.push(() => caches.counters(position, stats));
  });
  socket.on('copies', ({ position, books }) => {
    see(position);
    buffer.push(() => caches.copies(position, books));
  });
  socket.on('holds', (message) => {
    see(message.position);
    buffer.push(() => caches.holds(message));
  });
  socket.on('rules', () => buffer.push(() => void client.invalidateQueries({ queryKey: queryKeys.rules })));
  const aboutWaivers = (tell: (messages: typeof import('./waiver-messages.js')) => void) => {
    import('./waiver-messages.js').then(tell, (error: unknown) => window.reportError?.(error));
  };
  socket.on('waivers', () => aboutWaivers(({ waiversChanged }) => waiversChanged(client)));
  socket.on('waiverAnswered', (message) => aboutWaivers(({ waiverAnswered }) => waiverAnswered(message)));
  socket.on('importProgress', (message) => buffer.push(() => caches.importProgress(message)));
  socket.on('report', (message) => buffer.push(() => caches.report(message)));
  socket.on('refetch', ({ position }) => {
    see(position);
    watches.again();
    buffer.push(() => caches.refetch());
  });
  socket.on('roles', ({ mustAddSecondFactor, ...rights }) =>
    session.changeRights(rights, mustAddSecondFactor),
  );
  socket.on('sessionEnded', onSessionEnded);
  // At a random moment: all browsers of the closing process reconnect to the same remaining ones.
  socket.on('restarting', ({ withinMs }) => {
    window.clearTimeout(moveTimer);
    moveTimer = window.setTimeout(() => {
      if (socket.connected) socket.disconnect().connect();
    }, Math.random() * withinMs);
  });

  const wentOffline = () => {
    lost();
    say('offline');
  };
  const cameOnline = () => {
    if (!socket.connected) socket.connect();
    // The connection outlived the break, as it does to this very machine: no hello will come.
    else if (seen !== null) {
      resume(seen);
      watches.again();
    }
  };
  window.addEventListener('offline', wentOffline);
  window.addEventListener('online', cameOnline);

  return () => {
    window.removeEventListener('offline', wentOffline);
    window.removeEventListener('online', cameOnline);
    window.clearTimeout(offlineTimer);
    window.clearTimeout(knockTimer);
    window.clearTimeout(moveTimer);
    buffer.stop();
    watches.stop();
    socket.removeAllListeners();
    socket.disconnect();
  };
}

/** How often a hidden tab catches up. */
const HIDDEN_FLUSH_MS = 1000;

interface MessageBuffer<Message> {
  push(message: Message): void;
  stop(): void;
}

/**
 * Passes messages on at once while the tab is visible. In the background it batches them, so that a busy library costs a
 * hidden tab only one update a second.
 */
function messageBuffer<Message>(hand: (message: Message) => void): MessageBuffer<Message> {
  let waiting: Message[] = [];
  let timer: number | undefined;
  const flush = () => {
    window.clearTimeout(timer);
    timer = undefined;
    const messages = waiting;
    waiting = [];
    messages.forEach(hand);
  };
  const onVisible = () => {
    if (!document.hidden) flush();
  };
  document.addEventListener('visibilitychange', onVisible);
  return {
    push(message) {
      if (!document.hidden && waiting.length === 0) return hand(message);
      waiting.push(message);
      timer ??= window.setTimeout(flush, HIDDEN_FLUSH_MS);
    },
    stop() {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      waiting = [];
    },
  };
}
