import { z } from 'zod';
import { oneLine, plainText } from '../plain-text.js';
import { ruleSetSchema } from './rule-set.js';

/** Drafts that are kept at once, at most. */
export const MOST_DRAFTS = 50;

const draft = {
  name: oneLine(z.string().trim().min(1, 'Give it a name.').max(80, 'At most 80 characters.')),
  rules: ruleSetSchema,
  /** The day on which they are to begin; null while none is chosen, and for as soon as may be. */
  from: z.iso.date().nullable(),
  why: plainText(z.string().trim().max(1_000)),
  /** The latest version of the rules that whoever saved it had seen. */
  basedOn: z.int().min(1),
};

/** `POST Rules/draft`. */
export const newRulesDraftSchema = z.object(draft);
export type NewRulesDraft = z.infer<typeof newRulesDraftSchema>;

/** `PUT Rules/draft/{id}`: `revision` is the one that was edited; where there is another since, it is refused. */
export const rulesDraftChangeSchema = z.object({ ...draft, revision: z.int().min(1) });
export type RulesDraftChange = z.infer<typeof rulesDraftChangeSchema>;

/** Rules that are prepared and not in force: nobody decides by them. */
export const rulesDraftSchema = z.object({
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

/** `GET Rules/draft`: all, the one that was changed last first. */
export const rulesDraftsSchema = z.array(rulesDraftSchema).max(MOST_DRAFTS);

export const rulesDraftParamsSchema = z.object({ id: z.uuid() });
