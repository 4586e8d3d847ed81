import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { oneLine } from '../plain-text.js';
import { MAX_SETS, messageAnswerSchema, permissionsSchema } from './account-views.js';

const NAME_LENGTH = 60;
const nameError = () => m.sets_name_wrong({ most: NAME_LENGTH });

const fieldsSchema = z.object({
  name: oneLine(
    z.string({ error: nameError }).trim().min(1, { error: nameError }).max(NAME_LENGTH, { error: nameError }),
  ),
  permissions: permissionsSchema.min(1, { error: () => m.sets_choose_one() }),
  /** grosze up to which a fee is waived alone, where that is permitted; null: there is no limit. */
  waiverLimit: z.int().min(0).max(100_000_000).nullable(),
});
export type PermissionSetFields = z.infer<typeof fieldsSchema>;

/** What an admin put together of the permissions, beside the sets that are built in. */
const setSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  permissions: permissionsSchema,
  waiverLimit: z.int().nullable(),
  version: z.int(),
  /** How many have it. */
  holders: z.int(),
});
export type PermissionSet = z.infer<typeof setSchema>;

const giving = { may: ['roles'], confirmed: true } as const;
const ofOne = z.object({ id: z.uuid() });

/** By their names. */
export const listSets = call('GET PermissionSet', {
  may: ['roles', 'readers', 'audit'],
  answer: z.array(setSchema).max(MAX_SETS),
});

/** Nobody puts into a set what they may not do themselves. */
export const addSet = call('POST PermissionSet', {
  ...giving,
  body: fieldsSchema,
  answer: setSchema,
  status: 201,
});

export const changeSet = call('PUT PermissionSet/:id', {
  ...giving,
  params: ofOne,
  body: fieldsSchema.extend({
    /** Which was being edited: a change made meanwhile is not overwritten. */
    version: z.int(),
  }),
  answer: setSchema,
});

/** Whoever has it loses it. */
export const removeSet = call('DELETE PermissionSet/:id', {
  ...giving,
  params: ofOne,
  answer: messageAnswerSchema,
});
