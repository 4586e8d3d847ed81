import { AUDITING } from './allows.js';

/**
 * What somebody of staff may be allowed. A call names those of which one opens it (`may`); in words they are
 * `PERMISSION_NAMES`. Whatever a reader does for themselves needs none.
 */
export const PERMISSIONS = [
  'desk',
  'queue',
  'holds',
  'readers',
  'readerFiles',
  'fees',
  'waive',
  'till',
  'stocktaking',
  'books',
  'copies',
  'authorities',
  'duplicates',
  'imports',
  'printing',
  'lists',
  'searches',
  'audit',
  'insight',
  'rules',
  'changeRules',
  'library',
  'webhooks',
  'devices',
  'system',
  'roles',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Who may make a call: anybody, whoever is signed in, those with one of the permissions, or a device by which readers help
 * themselves.
 */
export type Allowed = Permission | 'SignedIn' | 'Everybody' | 'Device';

/** The permission sets that every library has, as they are. Everybody with an account has the first. */
export const ROLES = ['Reader', 'Librarian', 'Cataloguer', 'Auditor', 'Admin'] as const;
export type Role = (typeof ROLES)[number];

/** What somebody may do: permissions, and up to how much of a fee they waive alone, where they may. */
export interface Rights {
  permissions: readonly Permission[];
  /** grosze; null: there is no limit. */
  waiverLimit: number | null;
}

export const BUILT_IN: Record<Role, Rights> = {
  Reader: { permissions: [], waiverLimit: 0 },
  Librarian: {
    permissions: ['desk', 'queue', 'holds', 'readers', 'fees', 'waive', 'till', 'stocktaking'],
    waiverLimit: 2_000,
  },
  Cataloguer: {
    permissions: ['books', 'copies', 'authorities', 'duplicates', 'imports', 'printing', 'lists', 'searches'],
    waiverLimit: 0,
  },
  Auditor: { permissions: AUDITING, waiverLimit: 0 },
  Admin: { permissions: PERMISSIONS, waiverLimit: null },
};

export const isRole = (key: string): key is Role => Object.hasOwn(BUILT_IN, key);

/** What is allowed by those of an account's sets that are built in. */
export const builtInOf = (roles: readonly string[]): Rights[] =>
  roles.filter(isRole).map((role) => BUILT_IN[role]);

/** What somebody may do who has all of these sets. */
export function rightsOf(sets: readonly Rights[]): Rights {
  const limits = sets.map(({ waiverLimit }) => waiverLimit);
  return {
    permissions: PERMISSIONS.filter((each) => sets.some(({ permissions }) => permissions.includes(each))),
    waiverLimit: limits.includes(null) ? null : Math.max(0, ...limits.map(Number)),
  };
}

/** Whether one may do all that the other allows. */
export function covers(one: Rights, other: Rights): boolean {
  const waives =
    !other.permissions.includes('waive') ||
    one.waiverLimit === null ||
    (other.waiverLimit !== null && other.waiverLimit <= one.waiverLimit);
  return waives && other.permissions.every((each) => one.permissions.includes(each));
}
