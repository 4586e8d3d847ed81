import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { plainText } from '../plain-text.js';
import { ruleSetSchema } from './rule-set.js';

const STATES = ['past', 'current', 'coming', 'withdrawn'] as const;

/** One version of the rules. */
const rulesVersionSchema = z.object({
  version: z.int(),
  /** Since when, or from when on; null for those of releases before rules could be changed. */
  from: z.iso.datetime().nullable(),
  state: z.enum(STATES),
  rules: ruleSetSchema,
  changedAt: z.iso.datetime().nullable(),
  /** The admin's name. */
  changedBy: z.string().nullable(),
  why: z.string().nullable(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnBy: z.string().nullable(),
});
export type RulesVersion = z.infer<typeof rulesVersionSchema>;

/** Versions of one answer. */
export const VERSIONS_SHOWN = 100;

const rulesOverviewSchema = z.object({
  current: rulesVersionSchema,
  /** The latest first; those before the last of them by `before`. */
  versions: z.array(rulesVersionSchema).max(VERSIONS_SHOWN),
  /** By whose days rules begin. */
  timeZone: z.string(),
  /** Minutes after which a change that names no day is in force. */
  startsAfterMinutes: z.int(),
});
export type RulesOverview = z.infer<typeof rulesOverviewSchema>;

const rulesChangeSchema = z.object({
  rules: ruleSetSchema,
  /** The day on which they begin; null for as soon as all parts of the installation know them. */
  from: z.iso.date().nullable(),
  why: plainText(
    z
      .string()
      .trim()
      .min(1, { error: () => m.rules_why_missing() })
      .max(1_000),
  ),
  /** The latest version that the change was made on: where there is another since, it is refused. */
  after: z.int(),
  /** The draft that this was, which is then deleted. */
  draft: z.uuid().optional(),
});
export type RulesChange = z.infer<typeof rulesChangeSchema>;

const ofVersion = { params: z.object({ version: z.coerce.number().int().min(1).max(1_000_000) }) } as const;

/** The versions before that one, or the latest. */
export const readRules = call('GET Rules', {
  may: ['rules'],
  query: z.object({ before: z.coerce.number().int().min(1).max(1_000_000).optional() }),
  answer: rulesOverviewSchema,
});

export const readRulesVersion = call('GET Rules/:version', {
  ...ofVersion,
  may: ['rules'],
  answer: rulesVersionSchema,
});

export const changeRules = call('POST Rules', {
  may: ['changeRules'],
  body: rulesChangeSchema,
  answer: rulesOverviewSchema,
  status: 201,
  keyed: true,
  confirmed: true,
});

export const withdrawRules = call('DELETE Rules/:version', {
  ...ofVersion,
  may: ['changeRules'],
  answer: rulesOverviewSchema,
  confirmed: true,
});
