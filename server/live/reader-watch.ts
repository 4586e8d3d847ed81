import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { readTimeline } from '#contracts/audit/audit-calls.js';
import { DomainError } from '#contracts/domain-error.js';
import type { WatchAnswer } from '#contracts/live/live-messages.js';
import type { ReadModelChange } from '#platform/database/notifications.js';
import { EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { WatchReader } from '../audit/audit.commands.js';
import { mayMake, notAllowed } from '../http/access.js';
import { correlationId } from '../http/correlation.js';
import type { LiveServer, LiveSocket } from './live-server.js';

const ROOM = 'audit:';
const room = (readerId: string) => `${ROOM}${readerId}`;

const watchSchema = z.object({ readerId: z.uuid().toLowerCase() });

/** Notifies the sockets of those who have a reader's history open when it has grown. */
@Injectable()
export class ReaderWatch {
  /** Pseudonyms of the readers that are watched here, by account id. */
  private readonly pseudonyms = new Map<string, string>();

  constructor(
    private readonly commands: CommandBus,
    private readonly log: EventLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Forgets a reader when the last of their watchers has left, however they left. */
  forgetUnwatched(server: LiveServer): void {
    server.sockets.adapter.on('delete-room', (name: string) => {
      if (name.startsWith(ROOM)) this.pseudonyms.delete(name.slice(ROOM.length));
    });
  }

  /** The readers that are watched here. */
  get watched(): string[] {
    return [...this.pseudonyms.keys()];
  }

  /** Subscribes a socket to a reader's history, if it may and the access was logged. */
  async begin(socket: LiveSocket, message: unknown): Promise<WatchAnswer> {
    const parsed = watchSchema.safeParse(message);
    if (!parsed.success) return refused('ValidationFailed', m.live_watch_without_reader());
    const { readerId } = parsed.data;
    try {
      if (!mayWatch(socket)) throw notAllowed();
      const auditorId = socket.data.session.accountId;
      const pseudonym = await this.commands.execute(
        new WatchReader({ auditorId, readerId, correlationId: correlationId() }),
      );
      // One that went meanwhile would never leave the room.
      if (!mayWatch(socket) || !socket.connected) throw notAllowed();
      this.pseudonyms.set(readerId, pseudonym);
      // Joined before the log is read, so that no event falls in between.
      await socket.join(room(readerId));
      return { kind: 'watching', revision: Number(await this.log.lastRevision('borrows', pseudonym)) };
    } catch (error) {
      void socket.leave(room(readerId));
      if (error instanceof DomainError) return refused(error.code, error.detail);
      this.logger.error({ error }, 'a history could not be watched');
      return refused('Unexpected', m.live_unexpected());
    }
  }

  end(socket: LiveSocket, message: unknown): void {
    const parsed = watchSchema.safeParse(message);
    if (parsed.success) void socket.leave(room(parsed.data.readerId));
  }

  /** Notifies the watchers of what was committed; all of them if the change names nobody. */
  async notifyWatchers(server: LiveServer, change: ReadModelChange): Promise<void> {
    const changed = change.borrows && new Set(change.borrows.map(([, pseudonym]) => pseudonym));
    for (const [readerId, pseudonym] of this.pseudonyms) {
      if (changed && !changed.has(pseudonym)) continue;
      const name = room(readerId);
      try {
        const revision = Number(await this.log.lastRevision('borrows', pseudonym));
        server.to(name).emit('readerEvents', { readerId, revision });
      } catch (error) {
        this.logger.warn(
          { error },
          'the growth of a history could not be told; its watchers are to look again',
        );
        server.to(name).emit('refetch', { position: change.position });
      }
    }
  }

  /** After a change of the account: unsubscribes sockets that may no longer watch. */
  recheck(socket: LiveSocket): void {
    if (mayWatch(socket)) return;
    for (const name of socket.rooms) if (name.startsWith(ROOM)) void socket.leave(name);
  }
}

const mayWatch = (socket: LiveSocket) => mayMake(readTimeline, socket.data.session);

function refused(code: DomainError['code'], detail: string): WatchAnswer {
  return { kind: 'refused', code, detail };
}
