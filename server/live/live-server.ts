import type { Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contracts/live/live-messages.js';
import type { Session } from '../http/access.js';

interface SocketData {
  session: Session;
  /** How many changes of accounts this process had heard of when the session was read. */
  accountChanges: number;
}

/** The server of the live socket, and a socket whose handshake was authenticated. */
export type LiveServer = Server<ClientToServer, ServerToClient, Record<string, never>, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, SocketData>;
