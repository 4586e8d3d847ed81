import { createParamDecorator, SetMetadata, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Role } from '#contracts/accounts/account-views.js';

/** Who makes a call, as the guard found out. */
export interface SignedIn {
  accountId: string;
  /** What the event log, and all that is made of it, calls the caller. */
  pseudonym: string;
  username: string;
  roles: Role[];
  session: number;
}

/** A caller and when his session runs out by itself. */
export type Session = SignedIn & { expiresAt: Date };

export type SignedInRequest = Request & { signedIn?: SignedIn };

export const ALLOWED_ROLES = 'allowedRoles';

/** Whom a handler allows. */
export type Allowed = Role | 'SignedIn' | 'Everybody';

/** Who may make this call: anybody who is signed in, or those with one of the roles. Without it a call is refused. */
export const Allow = (...roles: Allowed[]) => SetMetadata(ALLOWED_ROLES, roles);

/** The caller, in a handler's parameters. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): SignedIn => {
  const { signedIn } = context.switchToHttp().getRequest<SignedInRequest>();
  if (!signedIn) throw new Error('A handler with @Caller() has to be allowed to signed-in callers only.');
  return signedIn;
});
