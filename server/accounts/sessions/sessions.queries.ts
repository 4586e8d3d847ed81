import { MAX_SESSIONS, type SessionView } from '#contracts/accounts/account-calls.js';
import { Inject, Injectable } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, MoreThanOrEqual, Repository } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { SessionEntity } from '#platform/database/entities/sign-in.entity.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import type { Session, SignedIn } from '../../http/access.js';
import { QueryWith } from '../../messages.js';
import { readableOrigin } from '../session-origin.js';
import { idleMs } from './session-idle.js';
import { Sessions } from './sessions.js';

/**
 * The caller behind a token, with the account's current name and rights.
 * @throws DomainError `NotSignedIn` for an unknown token, `SessionEnded` for one that expired or was revoked
 */
export class VerifyToken extends QueryWith<Session, { token: string }> {}

/**
 * The owner of a session, with the account's current name and rights.
 * @throws DomainError `SessionEnded`
 */
export class GetStanding extends QueryWith<SignedIn, { sid: string }> {}

@QueryHandler(VerifyToken)
export class VerifyTokenHandler implements IQueryHandler<VerifyToken> {
  constructor(private readonly sessions: Sessions) {}

  execute({ token }: VerifyToken): Promise<Session> {
    return this.sessions.verify(token);
  }
}

@QueryHandler(GetStanding)
export class GetStandingHandler implements IQueryHandler<GetStanding> {
  constructor(private readonly sessions: Sessions) {}

  execute({ sid }: GetStanding): Promise<SignedIn> {
    return this.sessions.standing(sid);
  }
}

@Injectable()
export class SessionsQueries {
  constructor(
    @InjectRepository(SessionEntity) private readonly sessions: Repository<SessionEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly clock: Clock,
  ) {}

  /** The caller's sessions that have not ended: this one, then the others, the one used last first. */
  async find({ accountId, isStaff, sid }: SignedIn): Promise<SessionView[]> {
    const now = this.clock.now();
    const found = await this.sessions.find({
      where: {
        accountId,
        expires: MoreThan(now),
        lastUsed: MoreThanOrEqual(new Date(now.getTime() - idleMs(this.settings, isStaff))),
      },
      order: { lastUsed: 'desc', id: 'asc' },
      take: MAX_SESSIONS,
    });
    found.sort((one, other) => Number(other.id === sid) - Number(one.id === sid));
    return found.map(({ id, device, network, created, lastUsed, expires }) => ({
      id,
      ...readableOrigin({ device, network }),
      created: created.toISOString(),
      lastUsed: lastUsed.toISOString(),
      expires: expires.toISOString(),
      current: id === sid,
    }));
  }
}
