import { Channel, credentials as channelCredentials, type ChannelCredentials } from '@grpc/grpc-js';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { EventStoreAddress } from './event-store-address.js';

/** PEM texts. */
export interface ChannelFiles {
  rootCertificate?: Buffer;
  userCertFile?: Buffer;
  userKeyFile?: Buffer;
}

/** Milliseconds between two tries to connect, growing from the first to the last. */
const BACKOFF = { first: 250, last: 5_000 };
/** Events have up to 16 MB; this is the client's own limit. */
const LARGEST_MESSAGE = 17 * 1024 * 1024;

/**
 * The official client, with what a connection that breaks needs of it:
 *
 * - It asks again for the store within five seconds of its return; left alone, it would wait up to two minutes.
 * - A discovery that finds nobody ends the calls that wait for it, and not the process, and is forgotten: left alone,
 *   its failure is kept as the answer to every later append, and is thrown where nobody can catch it.
 * - An append is a call of its own. Appends that travel together share one bank of promises in the whole process: when
 *   one connection breaks, those of another are forgotten, and their answers, when they come, end the process. They
 *   are twice to three times as cheap, and allowed where the store lives and dies with us.
 */
export class ResilientEventStoreClient extends EventStoreDBClient {
  constructor(
    { hosts, isCluster, tls, credentials, options }: EventStoreAddress,
    files: ChannelFiles,
    batched: boolean,
  ) {
    const [first] = hosts;
    if (!first) throw new Error('An event store has a host.');
    const security = { insecure: !tls, ...files };
    // Keep-alive is the channel's, and our own: the client would print a warning of short intervals.
    const { keepAliveInterval: _interval, keepAliveTimeout: _timeout, ...others } = options;
    if (isCluster) super({ endpoints: hosts, ...others }, security, credentials);
    else super({ endpoint: first, ...others }, security, credentials);

    if (!batched) this.supports = async () => false;
    const resolve = this.resolveUri;
    this.resolveUri = () => resolve().catch(() => `${first.address}:${first.port}`);
    const secured = tls
      ? channelCredentials.createSsl(
          files.rootCertificate ?? null,
          files.userKeyFile ?? null,
          files.userCertFile ?? null,
        )
      : channelCredentials.createInsecure();
    // Private, and the one place where a channel gets its options.
    Object.assign(this, { createChannel: () => this.channel(secured, options) });
  }

  private async channel(
    security: ChannelCredentials,
    { keepAliveInterval, keepAliveTimeout }: EventStoreAddress['options'],
  ): Promise<Channel> {
    return new Channel(await this.resolveUri(), security, {
      'grpc.keepalive_time_ms': keepAliveInterval,
      'grpc.keepalive_timeout_ms': keepAliveTimeout,
      'grpc.initial_reconnect_backoff_ms': BACKOFF.first,
      'grpc.max_reconnect_backoff_ms': BACKOFF.last,
      'grpc.max_receive_message_length': LARGEST_MESSAGE,
    });
  }
}
