import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Session, SignedIn } from '../http/access.js';
import { Sessions } from './sessions.js';

/**
 * Whose token it is, with the account's name and roles as they are now.
 * @throws DomainError `NotSignedIn` for a token that is none of ours, `SessionEnded` for one that ran out or was revoked
 */
export class VerifyToken extends Query<Session> {
  constructor(readonly token: string) {
    super();
  }
}

/**
 * An account as it is now.
 * @throws DomainError `SessionEnded` when it has gone, or its sessions of this number were ended
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
