import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { oneLine, plainText } from '../plain-text.js';
import { ruleSetSchema } from './rule-set.js';

/** Drafts that are kept at once, at most. */
export const MAX_DRAFTS = 50;

const draft = {
  name: oneLine(
    z
      .string()
      .trim()
      .min(1, { error: () => m.rules_draft_nameless() })
      .max(80, { error: () => m.rules_draft_name_too_long({ most: 80 }) }),
  ),
  rules: ruleSetSchema,
  /** The day on which they are to begin; null while none is chosen, and for as soon as may be. */
  from: z.iso.date().nullable(),
  why: plainText(z.string().trim().max(1_000)),
  /** The latest version of the rules that whoever saved it had seen. */
  basedOn: z.int().min(1),
};

const newRulesDraftSchema = z.object(draft);
export type NewRulesDraft = z.infer<typeof newRulesDraftSchema>;

/** `revision` is the one that was edited; where there is another since, it is refused. */
const rulesDraftChangeSchema = z.object({ ...draft, revision: z.int().min(1) });
export type RulesDraftChange = z.infer<typeof rulesDraftChangeSchema>;

/** Rules that are prepared and not in force: nobody decides by them. */
const rulesDraftSchema = z.object({
  ...draft,
  id: z.uuid(),
  revision: z.int(),
  /** Names; null where the account is gone. */
  createdBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  changedBy: z.string().nullable(),
  changedAt: z.iso.datetime(),
});
export type RulesDraft = z.infer<typeof rulesDraftSchema>;

/** All, the one that was changed last first. */
const rulesDraftsSchema = z.array(rulesDraftSchema).max(MAX_DRAFTS);

const tag = 'Rules/draft';
const staff = { may: ['rules'], tag } as const;
const changing = { may: ['changeRules'], tag } as const;
const ofOne = { params: z.object({ id: z.uuid() }) } as const;

export const listDrafts = call('GET Rules/draft', { ...staff, answer: rulesDraftsSchema });

export const readDraft = call('GET Rules/draft/:id', { ...staff, ...ofOne, answer: rulesDraftSchema });

/** The same key is the same draft. */
export const addDraft = call('POST Rules/draft', {
  ...changing,
  body: newRulesDraftSchema,
  answer: rulesDraftSchema,
  status: 201,
  keyed: true,
});

export const changeDraft = call('PUT Rules/draft/:id', {
  ...changing,
  ...ofOne,
  body: rulesDraftChangeSchema,
  answer: rulesDraftSchema,
});

/** Answers those that are left. */
export const removeDraft = call('DELETE Rules/draft/:id', {
  ...changing,
  ...ofOne,
  answer: rulesDraftsSchema,
});
