import { io, type Socket } from 'socket.io-client';
import type { ClientToServer, ServerToClient } from '#contracts/live/live-messages.js';

export type LiveSocket = Socket<ServerToClient, ClientToServer>;

/** Begins to open a live socket; it does not come back once it has ended. */
export const liveSocket = (url: string, token: string, options: Parameters<typeof io>[1] = {}): LiveSocket =>
  io(url, { auth: { token }, transports: ['websocket'], reconnection: false, forceNew: true, ...options });

type Hello = Parameters<ServerToClient['hello']>[0];

/**
 * A live socket that the server has greeted. It ends with the server.
 * @param handlers hear all, from the greeting on
 * @throws an Error whose message is the code of the refusal
 */
export async function openLive(
  url: string,
  token: string,
  handlers: Partial<ServerToClient> = {},
): Promise<LiveSocket & { hello: Hello }> {
  const socket = liveSocket(url, token);
  for (const [name, handler] of Object.entries(handlers)) socket.on(name as keyof ServerToClient, handler);
  const hello = await new Promise<Hello>((resolve, reject) => {
    socket.once('hello', resolve);
    socket.once('connect_error', reject);
  });
  return Object.assign(socket, { hello });
}
