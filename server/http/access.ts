import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Role } from '#contracts/accounts/account-views.js';
import type { Allowed } from '#contracts/call.js';

/** The caller, as authenticated by the guard. */
export interface SignedIn {
  accountId: string;
  /** The caller's pseudonym in the event log and in everything derived from it. */
  pseudonym: string;
  username: string;
  roles: Role[];
  /** The id of the session. */
  sid: string;
  /** When they signed in. */
  authenticatedAt: Date;
  /** When they last proved again who they are, asked before something dangerous; null: not since they signed in. */
  confirmedAt: Date | null;
  /** When they last gave a second factor; null: never in this session. */
  secondFactorAt: Date | null;
  /** Whether the account is an admin's or auditor's. */
  isStaff: boolean;
  /**
   * Whether the account has to add a second factor before anything else (`STAFF_MFA`). Until then its roles are a
   * reader's.
   */
  mustAddSecondFactor: boolean;
}

/** A caller and when their session expires. */
export type Session = SignedIn & { expiresAt: Date };

export type SignedInRequest = Request & { signedIn?: SignedIn };

export const ALLOWED_ROLES = 'allowedRoles';

/** Who may make this call: anybody who is signed in, or those with one of the roles. Without it, the call is refused. */
export const Allow = (...roles: Allowed[]) => SetMetadata(ALLOWED_ROLES, roles);

/** Minutes for which a confirmation counts. */
export const CONFIRMED_MINUTES = 10;

export const CONFIRMED_WITHIN = 'confirmedWithin';

/**
 * The caller must have proved again who they are, by `POST Account/confirm`, within so many minutes. Signing in does not
 * count: it may have been somebody else who sat down at the screen since.
 */
export const ConfirmedWithin = (minutes: number = CONFIRMED_MINUTES) =>
  SetMetadata(CONFIRMED_WITHIN, minutes);

export const OPEN_TO_ENROL = 'openToEnrol';

/** Open also to an account that has to add a second factor before anything else. */
export const OpenToEnrol = () => SetMetadata(OPEN_TO_ENROL, true);

/** The caller, in a handler's parameters. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): SignedIn => {
  const { signedIn } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!signedIn) throw new Error('A handler with @Caller() has to be allowed to signed-in callers only.');
  return signedIn;
});
