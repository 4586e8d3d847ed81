import type { INestApplicationContext } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { ownHosts } from '../http/own-hosts.js';

type Options = Parameters<IoAdapter['createIOServer']>[1];

/** Decides which handshakes of live sockets are let in: the middleware of calls does not see them. */
export class LiveAdapter extends IoAdapter {
  private readonly isOwn: ReturnType<typeof ownHosts>;

  constructor(app: INestApplicationContext, settings: Parameters<typeof ownHosts>[0]) {
    super(app);
    this.isOwn = ownHosts(settings);
  }

  override createIOServer(port: number, options?: Options): ReturnType<IoAdapter['createIOServer']> {
    return super.createIOServer(port, {
      ...options,
      allowRequest: (request, decide) => decide(null, this.isOwn(request)),
    } as Options);
  }
}
