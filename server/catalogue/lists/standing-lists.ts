import { v5 as uuidFromName } from 'uuid';
import { STANDING_LISTS, type StandingList } from '#contracts/lists/reading-lists.js';

/** Any fixed UUID: the ids of standing lists are made of it and of their readers'. */
const NAMESPACE = '7a4c1f0e-93bd-4f5e-8a4d-2f1f6c1d0b58';

export const standingId = (accountId: string, which: StandingList) =>
  uuidFromName(`${accountId} ${which}`, NAMESPACE);

/** Which standing list of the reader's has this id, if any. */
export const standingOf = (accountId: string, id: string) =>
  STANDING_LISTS.find((which) => standingId(accountId, which) === id.toLowerCase());
