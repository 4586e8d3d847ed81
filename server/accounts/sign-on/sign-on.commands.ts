import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import {
  addressesFor,
  personSchema,
  wantedSchema,
  type SignOnAnswer,
  type SignOnPerson,
  type Wanted,
} from '#contracts/accounts/sign-on.js';
import {
  SIGN_ON_OUTCOMES,
  type ProviderWithSecret,
  type SignOnOutcome,
} from '#contracts/accounts/sign-on-providers.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { SignOnOfSession } from '#platform/database/entities/sign-in.entity.js';
import { queryRow } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import type { SessionOrigin } from '../session-origin.js';
import { SessionCache } from '../sessions/session-cache.js';
import { isStaffAccount } from '../rights.js';
import { noteConfirmed } from '../sessions/sessions.commands.js';
import { SignInCommands } from '../sign-in.commands.js';
import { begunSchema, OpenIdProvider, type Claims } from './open-id.js';
import { SignOnFailed } from './provider-fetch.js';
import { SignOnProviders } from './providers.js';
import { accountOf, makeAccount, personIn } from './sign-on-accounts.js';
import { followGroups, setsIn } from './sign-on-groups.js';

/** Minutes within which a browser comes back, or the rest of a new account is told. */
const MINUTES = 20;

const sessionSchema = z.object({
  provider: z.string(),
  sid: z.string().optional(),
  logout: z.string().optional(),
  mfa: z.literal(true).optional(),
}) satisfies z.ZodType<SignOnOfSession>;

/** What is kept of a sign-on until the browser comes back, and of a new account until the rest is told. */
const begun = z.object({
  begun: begunSchema,
  wanted: wantedSchema,
  /** The session that is confirmed, where none is begun. */
  confirms: z.object({ accountId: z.string(), sid: z.string() }).optional(),
});
type Confirms = z.output<typeof begun>['confirms'];
const newcomer = z.object({
  subject: z.string(),
  username: z.string().optional(),
  /** That the provider has seen to. */
  verified: z.string().optional(),
  sets: z.array(z.string()),
  session: sessionSchema,
  wanted: wantedSchema,
});

@Injectable()
export class SignOnCommands {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly dataSource: DataSource,
    private readonly providers: SignOnProviders,
    private readonly signIn: SignInCommands,
    private readonly cache: SessionCache,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @param home the address of the site, as the browser has it
   * @param confirms a session whose owner proves again who they are, rather than beginning one
   * @returns where the browser is to go
   * @throws DomainError NotFound; SignOnUnavailable, SignOnFailed
   */
  async begin(
    key: string,
    wanted: Wanted,
    { source }: SessionOrigin,
    home: string,
    confirms?: Confirms,
  ): Promise<string> {
    const provider = await this.providers.open(key);
    return this.asking(provider, async () => {
      const openId = await OpenIdProvider.find(provider, this.providers.isNamed);
      const { back } = addressesFor(home, key);
      const { begun: kept, address } = await openId.begin(back, currentLanguage(), confirms !== undefined);
      await this.keep(kept.state, key, source.browser, { begun: kept, wanted, confirms });
      return address;
    });
  }

  /**
   * Signs in whom the provider vouches for, or asks for what is missing.
   * @throws DomainError SignOnFailed for an answer that this browser did not ask for, that was used, or that does not hold;
   * SignOnUnavailable; SignOnRefused where the library knows nobody of it
   */
  async complete(
    key: string,
    returned: { state: string } & Record<string, string | undefined>,
    origin: SessionOrigin,
  ): Promise<SignOnAnswer> {
    const provider = await this.providers.open(key);
    const { begun: kept, wanted, confirms } = await this.take(returned.state, provider, origin, begun);
    const { claims, logout } = await this.asking(provider, async () =>
      (await OpenIdProvider.find(provider, this.providers.isNamed)).complete(kept, returned),
    );
    const session = { ...sessionOf(provider, claims), logout };
    const who = { provider, subject: claims.sub };
    const sets = setsIn(provider, claims);
    const now = this.clock.now();
    const account = await inTransaction(this.dataSource, async (manager, connection) => {
      const id = await accountOf(connection, manager, who, claims, now);
      if (confirms) return void (await confirm(manager, provider, confirms, id, now));
      if (id === undefined) return undefined;
      await followGroups(connection, manager, who, { accountId: id, sets }, now);
      return provenBy(manager, provider, id);
    });
    if (confirms) {
      this.cache.forget(confirms.sid);
      return { confirmed: true };
    }
    if (account) return { ...(await this.signIn.proven(account, origin, session)), wanted };
    refuseUnknown(provider);
    const { person, ...told } = personIn(claims);
    const ticket = randomBytes(32).toString('base64url');
    await this.keep(ticket, key, origin.source.browser, {
      ...told,
      subject: claims.sub,
      sets,
      session,
      wanted,
    });
    const whole = personSchema.safeParse(person);
    if (whole.success) return this.register(key, { ...whole.data, ticket }, origin);
    return { person: { ticket, known: person }, wanted };
  }

  /**
   * Makes the account of a new reader, and signs them in.
   * @throws DomainError SignOnFailed; EmailTaken for an address that somebody has confirmed
   */
  async register(
    key: string,
    { ticket, ...person }: SignOnPerson & { ticket: string },
    origin: SessionOrigin,
  ): Promise<SignOnAnswer> {
    const provider = await this.providers.open(key);
    refuseUnknown(provider);
    const { account, session, wanted } = await inTransaction(this.dataSource, async (manager, connection) => {
      const kept = await this.take(ticket, provider, origin, newcomer, connection);
      const who = { provider, subject: kept.subject };
      const told = { ...kept, person };
      const now = this.clock.now();
      const id = await makeAccount(connection, manager, who, told, now);
      await followGroups(connection, manager, who, { accountId: id, sets: kept.sets }, now);
      return { ...kept, account: await provenBy(manager, provider, id) };
    });
    return { ...(await this.signIn.proven(account, origin, session)), wanted };
  }

  private async keep(word: string, key: string, browser: string, kept: object): Promise<void> {
    const now = this.clock.now();
    await this.database.query(
      `with over as (delete from sign_on_attempt where expires_at <= $5)
       insert into sign_on_attempt (digest, provider, browser, kept, expires_at) values ($1, $2, $3, $4, $6)`,
      [digestOf(word), key, digestOf(browser), kept, now, new Date(now.getTime() + MINUTES * 60_000)],
    );
  }

  /** Takes what was kept, for the browser that it was kept for, once. @throws DomainError SignOnFailed */
  private async take<Kept extends z.ZodType>(
    word: string,
    { key, name }: ProviderWithSecret,
    { source }: SessionOrigin,
    schema: Kept,
    connection: Pick<Connection, 'query'> = this.database,
  ): Promise<z.output<Kept>> {
    const row = await queryRow(
      connection,
      z.object({ kept: z.unknown() }),
      `delete from sign_on_attempt where digest = $1 and provider = $2 and browser = $3 and expires_at > $4
       returning kept`,
      [digestOf(word), key, digestOf(source.browser), this.clock.now()],
    );
    const kept = schema.safeParse(row?.kept);
    if (!kept.success) throw new DomainError('SignOnFailed', m.sign_on_start_again({ name }));
    return kept.data;
  }

  /** What a person is told where the provider does not answer as it should; the log has the reason. */
  private async asking<Result>(provider: ProviderWithSecret, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SignOnFailed)) throw error;
      const { outcome, reason } = error;
      this.logger.warn({ provider: provider.key, outcome, reason }, 'a sign-on by a provider failed');
      const isAway = outcome === 'unreachable' || outcome === 'timed-out';
      throw new DomainError(
        isAway ? 'SignOnUnavailable' : 'SignOnFailed',
        saidToPerson(outcome, provider.name),
      );
    }
  }
}

/** @throws DomainError SignOnRefused where somebody without an account gets none */
function refuseUnknown({ makesAccounts, name }: ProviderWithSecret): void {
  if (!makesAccounts) throw new DomainError('SignOnRefused', m.sign_on_no_account({ name }));
}

/** @throws DomainError SignOnRefused where the provider is not for accounts of staff, and this is one */
async function provenBy(
  manager: EntityManager,
  { staff, name }: ProviderWithSecret,
  id: string,
): Promise<AccountEntity> {
  const account = await manager
    .createQueryBuilder(AccountEntity, 'account')
    .addSelect('account.passwordHash')
    .where({ id })
    .getOneOrFail();
  if (staff || !(await isStaffAccount(manager, id))) return account;
  throw new DomainError('SignOnRefused', m.sign_on_not_for_staff({ name }));
}

/** @throws DomainError SignOnRefused for somebody else than the session's owner */
async function confirm(
  manager: EntityManager,
  { name }: ProviderWithSecret,
  { accountId, sid }: NonNullable<Confirms>,
  owner: string | undefined,
  confirmedAt: Date,
): Promise<void> {
  if (owner !== accountId) throw new DomainError('SignOnRefused', m.sign_on_somebody_else({ name }));
  await noteConfirmed(manager, { accountId, sid }, { confirmedAt });
}

/** Of what only the library can mend, no more is said than that. */
function saidToPerson(outcome: SignOnOutcome, name: string): string {
  if (outcome === 'unreachable' || outcome === 'timed-out') return m.sign_on_away({ name });
  const isTold = outcome === 'bad-answer' || outcome === 'denied';
  return isTold ? SIGN_ON_OUTCOMES[outcome]({ name }) : m.sign_on_not_set_up({ name });
}

function sessionOf({ key, trustsMfa }: ProviderWithSecret, { sid, amr }: Claims): SignOnOfSession {
  const isTwofold = trustsMfa && Array.isArray(amr) && amr.includes('mfa');
  return { provider: key, ...(typeof sid === 'string' && { sid }), ...(isTwofold && { mfa: true }) };
}

const digestOf = (word: string) => createHash('sha256').update(word).digest();
