import * as m from '#words/messages.js';
import { z } from 'zod';
import { ruleSetSchema, type RuleSet } from '#contracts/rules/rule-set.js';
import { simulationSchema, type SimulationView } from '#contracts/rules/what-if.js';
import type { SimulationResult } from '#circulation/simulation/simulation.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';

/** Hours until a trial is deleted. */
export const RETENTION_HOURS = 24;
/** Milliseconds between two signs that somebody works on a trial. */
export const HEARTBEAT_INTERVAL = 1_000;
/** Seconds without one after which nobody does. */
const DEAD_AFTER = 20;
/** Seconds for which a trial waits for somebody to work on it: whoever does jobs has nothing else of this sort to do. */
const TAKEN_WITHIN = 60;

/** Why a trial failed, to whoever asked for it. */
const FAILURES = {
  dead: m.what_if_failed_dead,
  'not-taken': m.what_if_failed_not_taken,
  'log-away': m.what_if_failed_log_away,
  silent: m.what_if_failed_silent,
  unreadable: m.what_if_failed_unreadable,
  killed: m.what_if_failed_killed,
  unexpected: m.what_if_failed_unexpected,
  closing: m.what_if_failed_closing,
} satisfies Record<string, () => string>;
type Failure = keyof typeof FAILURES;

/** What is tried. Days are the library's. */
export interface RequestedSimulation {
  rules: RuleSet;
  from: string;
  to: string;
}

const viewRow = simulationSchema.extend({ askedAt: z.date() }).transform(({ askedAt, failure, ...same }) => ({
  ...same,
  askedAt: askedAt.toISOString(),
  // Trials of releases before have the sentence itself.
  failure: failure !== null && failure in FAILURES ? FAILURES[failure as Failure]() : failure,
}));

const VIEW = `
  t.id, t.state, t.progress, t.first_day::text as "from", t.last_day::text as "to", t.rules, t.failure, t.answer,
  t.asked_at as "askedAt", a.fullname as "askedBy"`;

/** Fails the trial that nobody works on, whoever finds it. */
export async function failAbandoned(database: Queryable): Promise<void> {
  await database.query(
    `update rule_trial set state = 'failed', failure = case state when 'running' then 'dead' else 'not-taken' end
     where state = 'running' and touched_at < now() - make_interval(secs => $1)
       or state = 'waiting' and touched_at < now() - make_interval(secs => $2)`,
    [DEAD_AFTER, TAKEN_WITHIN],
  );
}

/** Deletes what was asked for more than a day ago. */
export async function deleteExpired(database: Queryable, now: Date): Promise<void> {
  await database.query(`delete from rule_trial where asked_at < $1 and state not in ('waiting', 'running')`, [
    keptSince(now),
  ]);
}

const keptSince = (now: Date) => new Date(now.getTime() - RETENTION_HOURS * 3_600_000);

/** The trial with this id, or the latest of the last day. */
export async function simulationView(
  database: Queryable,
  now: Date,
  id?: string,
): Promise<SimulationView | undefined> {
  await failAbandoned(database);
  return queryRow(
    database,
    viewRow,
    `select ${VIEW} from rule_trial t left join account a on a.id = t.asked_by
     where t.asked_at >= $1 and ($2::uuid is null or t.id = $2) order by t.asked_at desc, t.touched_at desc, t.id limit 1`,
    [keptSince(now), id ?? null],
  );
}

/**
 * Writes down a trial that is asked for.
 * @returns whether there was none under way
 */
export async function addSimulation(
  database: Queryable,
  id: string,
  { rules, from, to }: RequestedSimulation,
  { askedBy, now }: { askedBy: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into rule_trial (id, rules, first_day, last_day, state, asked_by, asked_at)
     values ($1, $2, $3, $4, 'waiting', $5, $6)
     on conflict ((true)) where state in ('waiting', 'running') do nothing`,
    [id, JSON.stringify(rules), from, to, askedBy, now],
  );
  return rowCount === 1;
}

const underWayRow = z.object({ id: z.string(), isSame: z.boolean(), askedBy: z.string().nullable() });

/** The trial that is under way, and whether it is of the same rules and days. */
export function simulationUnderWay(database: Queryable, { rules, from, to }: RequestedSimulation) {
  return queryRow(
    database,
    underWayRow,
    `select t.id, t.rules = $1::jsonb and t.first_day = $2 and t.last_day = $3 as "isSame", a.fullname as "askedBy"
     from rule_trial t left join account a on a.id = t.asked_by where t.state in ('waiting', 'running')`,
    [JSON.stringify(rules), from, to],
  );
}

/** Whoever works on it finds that out within a second. */
export async function cancelSimulation(database: Queryable, id: string): Promise<void> {
  await database.query(
    `update rule_trial set state = 'cancelled' where id = $1 and state in ('waiting', 'running')`,
    [id],
  );
}

const claimedRow = z.object({ id: z.string(), rules: ruleSetSchema, from: z.string(), to: z.string() });

/** Takes the trial that waits, so that nobody else does. */
export function claimSimulation(database: Queryable) {
  return queryRow(
    database,
    claimedRow,
    `update rule_trial set state = 'running', touched_at = now()
     where id = (select id from rule_trial where state = 'waiting' for update skip locked) and state = 'waiting'
     returning id, rules, first_day::text as "from", last_day::text as "to"`,
  );
}

/**
 * Says how far it is, and that it is worked on.
 * @returns whether it is still wanted
 */
export async function touchSimulation(database: Queryable, id: string, percent: number): Promise<boolean> {
  const { rowCount } = await database.query(
    `update rule_trial set progress = $2, touched_at = now() where id = $1 and state = 'running'`,
    [id, percent],
  );
  return rowCount === 1;
}

export async function finishSimulation(
  database: Queryable,
  id: string,
  { answer, readers }: SimulationResult,
): Promise<void> {
  await database.query(
    `update rule_trial set state = 'done', progress = 100, answer = $2, readers = $3 where id = $1 and state = 'running'`,
    [id, JSON.stringify(answer), JSON.stringify(readers)],
  );
}

export async function failSimulation(database: Queryable, id: string, failure: Failure): Promise<void> {
  await database.query(
    `update rule_trial set state = 'failed', failure = $2 where id = $1 and state = 'running'`,
    [id, failure],
  );
}

const readersRow = z.object({
  readers: z.array(z.object({ reader: z.string(), real: z.int(), simulated: z.int() })).nullable(),
});

/** Whose fees a trial would have changed most; `null` of one that is not done. */
export async function readersOfSimulation(database: Queryable, now: Date, id: string) {
  const row = await queryRow(
    database,
    readersRow,
    'select readers from rule_trial where id = $1 and asked_at >= $2',
    [id, keptSince(now)],
  );
  return row?.readers;
}
