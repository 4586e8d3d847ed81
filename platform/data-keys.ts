import * as m from '#words/messages.js';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Inject, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from './clock.js';
import { DataKeyEntity } from './database/entities/sign-in.entity.js';
import type { Logger } from './logging.js';
import type { ResolvedSettings } from './settings.js';
import { LOGGER, SETTINGS } from './tokens.js';
import { derivedKey } from './signing-keys.js';

const OWNER = 'data key';

/** Something encrypted, and the number of its key. */
export interface Sealed {
  keyId: number;
  sealed: Buffer;
}

/**
 * Encrypts what has to be read again. The keys are random, and stored encrypted with one that is derived from
 * `SECOND_FACTOR_SECRET`, or else `JWT_SECRET`. A server that starts with another secret, and with the former one beside
 * it, encrypts the keys again; what they encrypted stays as it is.
 */
@Injectable()
export class DataKeys implements OnApplicationBootstrap {
  private readonly wrapping: Uint8Array;
  /** What else the keys may have been encrypted with. */
  private readonly former: Uint8Array[];
  private readonly opened = new Map<number, Buffer>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(SETTINGS) settings: ResolvedSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const key = (secret: string) => derivedKey(secret, 'data keys');
    const { SECOND_FACTOR_SECRET, JWT_SECRET, JWT_SECRET_PREVIOUS, storedPreviousSecrets = [] } = settings;
    this.wrapping = key(SECOND_FACTOR_SECRET ?? JWT_SECRET);
    this.former = [
      JWT_SECRET,
      ...JWT_SECRET_PREVIOUS,
      ...storedPreviousSecrets.map(({ secret }) => secret),
    ].map(key);
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const { id } of await this.dataSource.manager.find(DataKeyEntity, { select: { id: true } })) {
      if (await this.key(this.dataSource.manager, id)) continue;
      this.logger.warn(
        { dataKey: id },
        'the secrets of code apps and webhooks cannot be read: SECOND_FACTOR_SECRET, or JWT_SECRET where that is unset, is not the one that they were kept with. Set the former one again, for JWT_SECRET as JWT_SECRET_PREVIOUS',
      );
    }
  }

  /** @param owner whose it is: moved to somebody else, it cannot be opened */
  async encrypt(manager: EntityManager, plain: Buffer, owner: string): Promise<Sealed> {
    const { id, key } = (await this.newest(manager)) ?? (await this.make(manager));
    return { keyId: id, sealed: seal(key, plain, owner) };
  }

  /** @throws DomainError `SecretUnreadable` when no secret at hand is the one that it was kept with */
  async decrypt(manager: EntityManager, { keyId, sealed }: Sealed, owner: string): Promise<Buffer> {
    const key = await this.key(manager, keyId);
    const plain = key && unseal(key, sealed, owner);
    if (plain) return plain;
    throw new DomainError('SecretUnreadable', m.security_codes_unreadable());
  }

  private async newest(manager: EntityManager): Promise<{ id: number; key: Buffer } | undefined> {
    const [row] = await manager.find(DataKeyEntity, { order: { id: 'desc' }, take: 1 });
    const key = row && (await this.key(manager, row.id));
    return row && key && { id: row.id, key };
  }

  private async make(manager: EntityManager): Promise<{ id: number; key: Buffer }> {
    const key = randomBytes(32);
    const wrapped = seal(this.wrapping, key, OWNER);
    const { id } = await manager.save(manager.create(DataKeyEntity, { wrapped, created: this.clock.now() }));
    return { id, key };
  }

  private async key(manager: EntityManager, id: number): Promise<Buffer | undefined> {
    const known = this.opened.get(id);
    if (known) return known;
    const row = await manager.findOneBy(DataKeyEntity, { id });
    if (!row) return undefined;
    const key = unseal(this.wrapping, row.wrapped, OWNER) ?? (await this.wrapAgain(manager, row));
    if (key) this.opened.set(id, key);
    return key;
  }

  /** Opens a key by a former secret, and encrypts it with the present one. */
  private async wrapAgain(
    manager: EntityManager,
    { id, wrapped }: DataKeyEntity,
  ): Promise<Buffer | undefined> {
    const key = this.former.map((each) => unseal(each, wrapped, OWNER)).find((each) => each !== undefined);
    if (key) await manager.update(DataKeyEntity, { id }, { wrapped: seal(this.wrapping, key, OWNER) });
    return key;
  }
}

/** For those who keep secrets. */
@Module({ providers: [DataKeys], exports: [DataKeys] })
export class DataKeysModule {}

const CIPHER = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts bytes (AES-256-GCM), so that a change of them is noticed.
 * @param owner whose they are: moved to somebody else, they cannot be opened
 */
function seal(key: Uint8Array, plain: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The bytes again; undefined where key or owner is another, or they were changed. */
function unseal(key: Uint8Array, sealed: Buffer, owner: string): Buffer | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(-TAG));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}
