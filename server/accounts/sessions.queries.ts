import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Session, SignedIn } from '../http/access.js';
import { Sessions } from './sessions.js';

/**
 * The caller behind a token, with the account's current name and roles.
 * @throws DomainError `NotSignedIn` for an unknown token, `SessionEnded` for one that expired or was revoked
 */
export class VerifyToken extends Query<Session> {
  constructor(readonly token: string) {
    super();
  }
}

/**
 * The current state of an account.
 * @throws DomainError `SessionEnded` if it is gone, or its sessions of this number have ended
 */
export class GetStanding extends Query<SignedIn> {
  constructor(
    readonly accountId: string,
    readonly session: number,
  ) {
    super();
  }
}

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

  execute({ accountId, session }: GetStanding): Promise<SignedIn> {
    return this.sessions.standing(accountId, session);
  }
}
