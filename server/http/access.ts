import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import type { Role } from '#contracts/accounts/account-views.js';
import type { Allowed } from '#contracts/call.js';
import type { Language } from '#contracts/languages.js';
import type { DeviceKind } from '#contracts/self-service/devices.js';

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

/** A device by which readers help themselves, as authenticated by the guard. The log calls it by its id. */
export interface ActingDevice {
  id: string;
  kind: DeviceKind;
  name: string;
  /** It begins with the first. */
  languages: Language[];
  asksPin: boolean;
  isClosed: boolean;
}

/** In which the browser of a kiosk has what lets it in. */
export const DEVICE_COOKIE = 'lectern-device';

export type SignedInRequest = Request & { signedIn?: SignedIn; device?: ActingDevice };

export const ALLOWED_ROLES = 'allowedRoles';

/** Who may make a request that serves no declared call. Without it, the request is refused. */
export const Allow = (...roles: Allowed[]) => SetMetadata(ALLOWED_ROLES, roles);

/** Minutes for which a confirmation counts. Signing in is none: it may have been somebody else who sat down at the screen since. */
export const CONFIRMED_MINUTES = 10;
