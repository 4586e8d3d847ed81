import type { Server, Socket } from 'socket.io';
import type { ClientToServer, ServerToClient } from '#contracts/live/live-messages.js';
import type { Session } from '../http/access.js';

/** The server of the live socket, and a socket whose handshake was authenticated. */
export type LiveServer = Server<ClientToServer, ServerToClient, Record<string, never>, { session: Session }>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, { session: Session }>;
