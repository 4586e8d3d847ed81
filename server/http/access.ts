import * as m from '#words/messages.js';
import { SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import { allows } from '#contracts/allows.js';
import type { Allowed, Rights } from '#contracts/permissions.js';
import type { Call } from '#contracts/call.js';
import { DomainError } from '#contracts/domain-error.js';
import type { DeviceFields, DeviceKind } from '#contracts/self-service/devices.js';

/** The caller, as authenticated by the guard. */
export interface SignedIn extends Rights {
  accountId: string;
  /** The caller's pseudonym in the event log and in everything derived from it. */
  pseudonym: string;
  username: string;
  roles: string[];
  /** The id of the session. */
  sid: string;
  /** When they signed in. */
  authenticatedAt: Date;
  /** When they last proved again who they are, asked before something dangerous; null: not since they signed in. */
  confirmedAt: Date | null;
  /** When they last gave a second factor; null: never in this session. */
  secondFactorAt: Date | null;
  /** Whether the account is of staff: whether it has any permission, or will have once it has a second factor. */
  isStaff: boolean;
  /**
   * Whether the account has to add a second factor before anything else (`STAFF_MFA`). Until then its roles are a
   * reader's, and it has no permission.
   */
  mustAddSecondFactor: boolean;
}

/** A caller and when their session expires. */
export type Session = SignedIn & { expiresAt: Date };

/** A device by which readers help themselves, as authenticated by the guard. The log calls it by its id. */
export interface ActingDevice extends DeviceFields {
  id: string;
  kind: DeviceKind;
}

/** In which the browser of a kiosk has what lets it in. */
export const DEVICE_COOKIE = 'lectern-device';

export type SignedInRequest = Request & { signedIn?: SignedIn; device?: ActingDevice };

export const ALLOWED = 'allowed';

/** Who may make a request that serves no declared call. Without it, the request is refused. */
export const Allow = (...may: Allowed[]) => SetMetadata(ALLOWED, may);

/** Minutes for which a confirmation counts. Signing in is none: it may have been somebody else who sat down at the screen since. */
export const CONFIRMED_MINUTES = 10;

type Permitted = Pick<SignedIn, 'permissions'>;

/** Whether somebody may make a call. */
export const mayMake = (call: Call, { permissions }: Permitted) => allows(call.may, permissions);

/** Whether somebody may make a call for others too. */
export const mayForOthers = ({ forOthers = [] }: Call, { permissions }: Permitted) =>
  allows(forOthers, permissions);

export const notAllowed = (sentence = m.account_not_allowed()) => new DomainError('NotAllowed', sentence);
