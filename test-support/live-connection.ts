import { io, type Socket } from 'socket.io-client';
import type { ServerToClient } from '#contracts/live/live-messages.js';

/** A live connection that the server has greeted. The caller closes it. */
export async function connectLive(url: string, token: string): Promise<Socket<ServerToClient>> {
  const socket: Socket<ServerToClient> = io(url, { auth: { token }, transports: ['websocket'] });
  await new Promise<void>((greeted) => socket.once('hello', () => greeted()));
  return socket;
}
