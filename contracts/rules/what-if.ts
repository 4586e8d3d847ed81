import * as m from '#words/messages.js';
import { z } from 'zod';
import { call } from '../call.js';
import { daysBetween } from '../local-day.js';
import { READER_KINDS } from './kinds.js';
import { ruleSetSchema } from './rule-set.js';

/**
 * "What would these rules have done?": the log folded again under a draft of the rules, in a process of its own. Amounts are
 * in grosze. Days are the library's, and only those that are over are tried: so the answer is the same for the same log and rules.
 */
const FIRST_DAY = '1970-01-01';
/** Ten years. */
export const MAX_DAYS = 3_660;
/** That these days are of: the first and the last may be parts. */
const MAX_MONTHS = 122;

const day = z.iso.date().refine((text) => text >= FIRST_DAY, { error: () => m.common_span_too_early() });

const simulationRequestSchema = z
  .object({
    rules: ruleSetSchema,
    /** The first day; absent or null: a year before the last one. */
    from: day.nullish(),
    /** The last day, which is over; absent or null: yesterday. */
    to: day.nullish(),
  })
  .superRefine(({ from, to }, context) => {
    if (!from || !to) return;
    const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['to'], message });
    if (from > to) refuse(m.common_span_out_of_order());
    else if (daysBetween(from, to) >= MAX_DAYS) refuse(m.common_span_too_long());
  });
export type SimulationRequest = z.infer<typeof simulationRequestSchema>;

const count = z.int().min(0);

/** A figure as it was, and as it would have been. */
const comparedSchema = z.object({ real: count, simulated: count });

/** How long holds waited until a copy was ready, in hours; null where none was. */
const waitsSchema = z.object({ mean: z.number().min(0), median: z.number().min(0) }).nullable();

/** Who would have been refused something: how often, and how many readers. */
const refusedSchema = z.object({ times: count, readers: count });

/** Where the draft allows more than the rules that were in force: what was refused then is not in the log. */
const LOOSER_LIMITS = ['books', 'holds', 'renewals', 'collect-days', 'fees'] as const;
export type RelaxedLimit = (typeof LOOSER_LIMITS)[number];

/**
 * What rules would have done. When people rented, collected, renewed, brought back and paid is taken as it was; what the draft
 * would have refused is counted, and happens all the same.
 */
const simulationAnswerSchema = z.object({
  timeZone: z.string(),
  /** Events of borrows and holds up to the last day that were folded. */
  events: count,
  /** Readers whose events those are. */
  readers: count,
  /** Late fees by month, every month of the span: of all readers, and of each kind that has any, in grosze. */
  months: z
    .array(
      z.object({
        /** `yyyy-MM`; the first and the last may be parts of theirs. */
        month: z.string(),
        ...comparedSchema.shape,
        kinds: z
          .array(z.object({ kind: z.enum(READER_KINDS), ...comparedSchema.shape }))
          .max(READER_KINDS.length),
      }),
    )
    .max(MAX_MONTHS),
  /** Late fees of the whole span, in grosze. */
  fees: comparedSchema,
  /** The same by kind of reader: every kind there is, and how many readers of it have other fees. */
  kinds: z
    .array(z.object({ kind: z.enum(READER_KINDS), ...comparedSchema.shape, otherReaders: count }))
    .max(READER_KINDS.length),
  /** Charges for lost and damaged books, less those that were taken back, in grosze; below 0 where more was. */
  losses: z.object({ real: z.int(), simulated: z.int() }),
  /** Books that came back, or were lost, after their due day. */
  lateReturns: comparedSchema,
  /** Rents with books that were not collected in time. Of `cannotBeTold` it is not known whether they would have been collected. */
  expiredRents: comparedSchema.extend({ cannotBeTold: count }),
  /** Holds for which a copy became ready. Of `cannotBeTold` it depends on somebody else's rent that would have been kept longer. */
  holds: z.object({ ready: count, real: waitsSchema, simulated: waitsSchema, cannotBeTold: count }),
  /** What the draft would have refused, though the rules of the day did not. */
  limits: z.object({
    /** Rents beyond the number of books. */
    books: refusedSchema,
    /** Holds beyond the number of holds. */
    holds: refusedSchema,
    /** Renewals: used up, too early, too late, or with a fee that would have been owed. */
    renewals: refusedSchema,
    /** Rents with a fee that would have been owed. */
    fees: refusedSchema,
    /** Anything of these. */
    readers: count,
  }),
  /** Limits that the draft loosens: what they would have allowed cannot be told. */
  cannotBeTold: z.array(z.enum(LOOSER_LIMITS)).max(LOOSER_LIMITS.length),
  /** Readers whose late fees would have been others: how many. */
  changedReaders: count,
});
export type SimulationAnswer = z.infer<typeof simulationAnswerSchema>;

/** `failed`: what happened is in `failure`. */
const TRIAL_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;
export type SimulationState = (typeof TRIAL_STATES)[number];

/** Ask again every second until it is `done`, `failed` or `cancelled`. */
export const simulationSchema = z.object({
  id: z.uuid(),
  state: z.enum(TRIAL_STATES),
  /** Percent of the log that was read. */
  progress: z.int().min(0).max(100),
  from: z.iso.date(),
  to: z.iso.date(),
  /** The draft. */
  rules: ruleSetSchema,
  askedAt: z.iso.datetime(),
  /** Their name; null once the account is gone. */
  askedBy: z.string().nullable(),
  /** Where it failed: a sentence for the person who asked. */
  failure: z.string().nullable(),
  /** Once it is `done`. */
  answer: simulationAnswerSchema.nullable(),
});
export type SimulationView = z.infer<typeof simulationSchema>;

/** The latest trial of the last day, whoever asked for it; null if there is none. */
const latestSimulationSchema = z.object({ simulation: simulationSchema.nullable() });
export type LatestSimulation = z.infer<typeof latestSimulationSchema>;

/** How many readers are named. */
export const READERS_SHOWN = 10;

/**
 * For admins: those whose late fees would have changed most, the largest difference first. It is a
 * look at each of them, and recorded as one. Amounts in grosze.
 */
const simulationReadersSchema = z.object({
  items: z
    .array(z.object({ id: z.uuid(), fullname: z.string(), ...comparedSchema.shape }))
    .max(READERS_SHOWN),
});
export type SimulationReaders = z.infer<typeof simulationReadersSchema>;

/** Nothing is changed by it; who the readers are is told to admins alone, and recorded. */
const staff = { may: ['rules'], tag: 'Rules/what-if' } as const;
const ofOne = {
  ...staff,
  params: z.object({ id: z.uuid({ error: () => m.what_if_not_a_trial() }) }),
} as const;

/** The answer is, of a trial of the same rules and days that is under way, its id. */
export const askForSimulation = call('POST Rules/what-if', {
  ...staff,
  body: simulationRequestSchema,
  answer: z.object({ id: z.uuid() }),
  status: 202,
});

export const readLatestSimulation = call('GET Rules/what-if', { ...staff, answer: latestSimulationSchema });

export const readSimulation = call('GET Rules/what-if/:id', { ...ofOne, answer: simulationSchema });

export const cancelSimulation = call('DELETE Rules/what-if/:id', { ...ofOne, answer: simulationSchema });

export const readSimulationReaders = call('GET Rules/what-if/:id/readers', {
  ...ofOne,
  may: ['changeRules'],
  answer: simulationReadersSchema,
});
