import type { Socket } from 'socket.io-client';
import type { ClientToServer, ServerToClient, WatchAnswer } from '#contracts/live/live-messages.js';

/** Callbacks for watching a reader's history. */
export interface Watcher {
  /** The revision of the last event that there is; it may be one that is known already. */
  onRevision: (revision: number) => void;
  /** The server refused to watch, and says why. */
  onRefused: (detail: string) => void;
}

type LiveSocket = Socket<ServerToClient, ClientToServer>;

const watchers = new Map<string, Set<Watcher>>();
let socket: LiveSocket | null = null;

/** Reports new events of this reader. @returns a function that ends the watch */
export function watchReader(readerId: string, watcher: Watcher): () => void {
  const others = watchers.get(readerId);
  if (others) others.add(watcher);
  else watchers.set(readerId, new Set([watcher]));
  ask(readerId);
  return () => {
    const left = watchers.get(readerId);
    left?.delete(watcher);
    if (left?.size !== 0) return;
    watchers.delete(readerId);
    if (socket?.connected) socket.emit('unwatchReader', { readerId });
  };
}

/** Watches over this connection; the server forgets watches when a connection is lost, so they are renewed. */
export function watchOver(live: LiveSocket): { again: () => void; stop: () => void } {
  socket = live;
  live.on('readerEvents', ({ readerId, revision }) =>
    notifyWatchers(readerId, ({ onRevision }) => onRevision(revision)),
  );
  return {
    again: () => [...watchers.keys()].forEach(ask),
    stop: () => {
      if (socket === live) socket = null;
    },
  };
}

function ask(readerId: string): void {
  // What is asked without a connection is asked when there is one.
  if (!socket?.connected) return;
  socket.emit('watchReader', { readerId }, (answer: WatchAnswer) => {
    notifyWatchers(readerId, ({ onRevision, onRefused }) =>
      answer.kind === 'watching' ? onRevision(answer.revision) : onRefused(answer.detail),
    );
  });
}

function notifyWatchers(readerId: string, what: (watcher: Watcher) => void): void {
  [...(watchers.get(readerId) ?? [])].forEach(what);
}
