import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  providerSchema,
  type Provider,
  type ProviderWithSecret,
} from '#contracts/accounts/sign-on-providers.js';
import type { SignOnView } from '#contracts/accounts/sign-on.js';
import { Clock } from '#platform/clock.js';
import { DataKeys } from '#platform/data-keys.js';
import { inTransaction, type Database, type Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { RequestInvalid } from '../../http/validation.js';
import { refuseBeyond } from '../rights.js';
import { SessionCache } from '../sessions/session-cache.js';
import { endSignOnSessions } from './sign-on-sessions.js';

const storedRow = z.object({
  version: z.int(),
  providers: z.array(providerSchema),
  changed_at: z.date().nullable(),
  changed_by: z.string().nullable(),
});
const NOTHING = { version: 0, providers: [], changed_at: null, changed_by: null };
const sessionsRow = z.object({ provider: z.string(), open: z.int() });
const secretRow = z.object({ provider: z.string(), keyId: z.int(), sealed: z.instanceof(Buffer) });

const ownerOf = (key: string) => `sign-on ${key}`;

/** The providers of the environment, and after them those that admins have named, in their order. */
@Injectable()
export class SignOnProviders {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly keys: DataKeys,
    private readonly clock: Clock,
    private readonly cache: SessionCache,
  ) {}

  async view(): Promise<SignOnView> {
    const { version, providers, changed_at, changed_by } = await this.stored();
    const secrets = await this.secrets();
    const sessions = await this.sessions();
    const openOf = (key: string) => sessions.find(({ provider }) => provider === key)?.open ?? 0;
    const { SIGN_ON_PROVIDERS: set } = this.settings;
    return {
      version,
      changedAt: changed_at?.toISOString() ?? null,
      changedBy: changed_by,
      providers: [
        ...set.map(({ secret, ...each }) => ({
          ...{ ...each, hasSecret: secret !== '', fixed: true, sessions: openOf(each.key) },
        })),
        ...providers.map((each) => {
          const hasSecret = secrets.some(({ provider }) => provider === each.key);
          return { ...each, hasSecret, fixed: false, sessions: openOf(each.key) };
        }),
      ],
    };
  }

  /** Those that people can sign in by. */
  async offered(): Promise<Provider[]> {
    const { providers } = await this.stored();
    return [...this.settings.SIGN_ON_PROVIDERS, ...providers].filter(({ on }) => on);
  }

  /** One of them, with the secret. @throws DomainError NotFound, also for one that is off, unless it is only tried */
  async open(key: string, { isTrial = false } = {}): Promise<ProviderWithSecret> {
    const set = this.settings.SIGN_ON_PROVIDERS.find((each) => each.key === key);
    const found = set ?? (await this.stored()).providers.find((each) => each.key === key);
    if (!found || !(found.on || isTrial)) throw new DomainError('NotFound', m.sign_on_gone());
    return set ?? { ...found, secret: await this.secretOf(key) };
  }

  /** Whether the operator has named the host: by the setting for that, or as a provider of the environment. */
  readonly isNamed = ({ host, hostname }: URL): boolean =>
    this.settings.PRIVATE_HOSTS.includes(hostname) ||
    this.settings.SIGN_ON_PROVIDERS.some(({ issuer }) => new URL(issuer).host === host);

  /**
   * @param edited the version that was edited
   * @throws DomainError NotAllowed for who may not do everything; ConcurrentChange; RequestInvalid for a key that the environment has
   */
  async change(named: readonly ProviderWithSecret[], accountId: string, edited: number): Promise<SignOnView> {
    const taken = this.settings.SIGN_ON_PROVIDERS.map(({ key }) => key);
    if (named.some(({ key }) => taken.includes(key))) {
      throw new RequestInvalid({ providers: [m.sign_on_key_taken()] });
    }
    const ended = await inTransaction(this.dataSource, async (manager, connection) => {
      await connection.query('lock table sign_on_providers in share row exclusive mode');
      // Whoever names a provider can have it vouch for anybody.
      await refuseBeyond(connection, accountId, [
        'Admin',
        ...named.flatMap(({ groups }) => groups.map(({ set }) => set)),
      ]);
      const { version, providers: before } = await this.stored(connection);
      if (version !== edited) throw new DomainError('ConcurrentChange', m.library_changed_meanwhile());
      await connection.query(
        'insert into sign_on_providers (version, providers, changed_at, changed_by) values ($1, $2, $3, $4)',
        [
          version + 1,
          JSON.stringify(named.map((each) => providerSchema.parse(each))),
          this.clock.now(),
          accountId,
        ],
      );
      await connection.query('delete from sign_on_secret where provider <> all($1)', [
        named.map(({ key }) => key),
      ]);
      for (const { key, secret } of named.filter((each) => each.secret !== '')) {
        const { keyId, sealed } = await this.keys.encrypt(manager, Buffer.from(secret), ownerOf(key));
        await connection.query(
          `insert into sign_on_secret (provider, key_id, sealed) values ($1, $2, $3)
           on conflict (provider) do update set key_id = excluded.key_id, sealed = excluded.sealed`,
          [key, keyId, sealed],
        );
      }
      // Nobody stays in by the word of a provider that the library does not ask any more.
      const isOff = ({ key }: Provider) => !named.some((each) => each.key === key && each.on);
      const off = before.filter(isOff).map(({ key }) => key);
      return endSignOnSessions(connection, `sign_on ->> 'provider' = any($2)`, [off]);
    });
    for (const account of ended) this.cache.forgetAccount(account);
    return this.view();
  }

  private async stored(database: Queryable = this.database): Promise<z.output<typeof storedRow>> {
    const row = await queryRow(
      database,
      storedRow,
      `select s.version, s.providers, s.changed_at, a.fullname as changed_by
       from sign_on_providers s left join account a on a.id = s.changed_by order by s.version desc limit 1`,
    );
    return row ?? NOTHING;
  }

  /** How many are open that were begun at each. */
  private sessions(): Promise<z.output<typeof sessionsRow>[]> {
    const text = `select sign_on ->> 'provider' as provider, count(distinct account_id)::integer as open from session
      where sign_on is not null and expires > $1 group by 1`;
    return queryRows(this.database, sessionsRow, text, [this.clock.now()]);
  }

  private secrets(): Promise<z.output<typeof secretRow>[]> {
    const text = 'select provider, key_id as "keyId", sealed from sign_on_secret';
    return queryRows(this.database, secretRow, text);
  }

  private async secretOf(key: string): Promise<string> {
    const kept = (await this.secrets()).find(({ provider }) => provider === key);
    return kept ? String(await this.keys.decrypt(this.dataSource.manager, kept, ownerOf(key))) : '';
  }
}
