import type { IncomingMessage } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import type { Settings } from '#platform/settings.js';
import { addressKey } from '../http/address-key.js';
import { allowedHosts } from '../http/allowed-hosts.js';
import { ConnectionLimit } from './live-limits.js';

/** Bytes; the largest message that a client has is well under a kilobyte. */
const LARGEST_MESSAGE = 16 * 1024;
/** Milliseconds within which a connection has to say who it is. */
const TO_SIGN_IN = 10_000;

/** As Express makes it of `TRUST_PROXY`: whether the address so many steps away may tell of the one before it. */
type Trust = (address: string, step: number) => boolean;

/**
 * Opens the live socket's server: for the library's own pages and for programs, never for pages of other sites, and
 * with limits for each address. It decides before anything of a connection is kept.
 */
export class LiveAdapter extends IoAdapter {
  private readonly addresses: ConnectionLimit;
  private readonly isOwnHost: ReturnType<typeof allowedHosts>;

  constructor(
    private readonly express: NestExpressApplication,
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {
    super(express);
    this.isOwnHost = allowedHosts(settings);
    this.addresses = new ConnectionLimit(settings.LIVE_SOCKETS_PER_ADDRESS);
  }

  override createIOServer(...[port, options]: Parameters<IoAdapter['createIOServer']>) {
    const server = super.createIOServer(port, {
      ...options,
      maxHttpBufferSize: LARGEST_MESSAGE,
      connectTimeout: TO_SIGN_IN,
      allowRequest: (
        request: IncomingMessage,
        decide: (refusal: string | null, allowed: boolean) => void,
      ) => {
        const refusal = this.refusalOf(request);
        if (refusal === undefined) return decide(null, true);
        this.log.debug({ refusal }, 'a live connection was refused');
        decide(refusal, false);
      },
    } as typeof options);
    server.engine.on('connection', (connection: EngineConnection) => {
      connection.once('close', this.addresses.enter(this.keyOf(connection.request)));
    });
    return server;
  }

  private refusalOf(request: IncomingMessage): string | undefined {
    if (!this.isOwnHost(request)) return 'UnknownHost: the library is not available under this name.';
    if (isForeign(request, this.settings)) {
      return 'CrossSiteRequest: this connection did not come from the library’s own pages.';
    }
    if (!this.addresses.allows(this.keyOf(request))) {
      return 'TooManyAttempts: too many connections from this address. Please try again in a moment.';
    }
    return undefined;
  }

  private keyOf(request: IncomingMessage): string {
    return addressKey(
      callerAddress(request, this.express.getHttpAdapter().getInstance().get('trust proxy fn') as Trust),
    );
  }
}

interface EngineConnection {
  request: IncomingMessage;
  once: (event: 'close', listener: () => void) => void;
}

/** Browsers name the page that opens a socket; programs name none, and are known by their token alone. */
function isForeign({ headers }: IncomingMessage, settings: Settings): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const page = new URL(origin);
  return page.origin !== new URL(publicUrl(settings)).origin && page.host !== host;
}

/** Who called, as Express knows it of other requests: the first address that is no trusted proxy. */
function callerAddress({ headers, socket }: IncomingMessage, trust: Trust): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
  const told = forwarded.split(',').map((each) => each.trim());
  const addresses = [socket.remoteAddress ?? '', ...told.filter((each) => each !== '').reverse()];
  const caller = addresses.findIndex((address, step) => !trust(address, step));
  return addresses.at(caller) ?? '';
}
