import { ruleSetSchema, type RuleSet } from './rule-set.js';
import {
  askForSimulation,
  READERS_SHOWN,
  readLatestSimulation,
  readSimulation,
  readSimulationReaders,
  simulationSchema,
  type LatestSimulation,
  type RelaxedLimit,
  type SimulationAnswer,
  type SimulationReaders,
  type SimulationRequest,
  type SimulationState,
  type SimulationView,
} from './what-if.js';

const ID = '0b54c0de-7f2a-4d0e-9d5e-6f1a2b3c4d5e';
const rules: RuleSet = ruleSetSchema.parse({
  ...{ loanDays: 7, maxRenewals: 1, renewableDaysBefore: null, finePerBookAndDay: 80, lossPrice: 4_000 },
  ...{ lossFee: 1_000, collectDays: 2, maxBooksPerReader: 5, maxHolds: 5, fineCap: 4_000, graceDays: 2 },
  ...{ undoMinutes: 10, reminderDays: 2, exceptions: [], week: null, closedDays: [] },
});
const refused = { times: 0, readers: 0 };
const looser: RelaxedLimit[] = ['collect-days'];
const answer: SimulationAnswer = {
  timeZone: 'Europe/Warsaw',
  events: 9,
  readers: 2,
  months: [
    { month: '2026-01', real: 50, simulated: 80, kinds: [{ kind: 'adult', real: 50, simulated: 80 }] },
  ],
  fees: { real: 50, simulated: 80 },
  kinds: [{ kind: 'adult', real: 50, simulated: 80, otherReaders: 1 }],
  losses: { real: -1_000, simulated: 0 },
  lateReturns: { real: 1, simulated: 1 },
  expiredRents: { real: 0, simulated: 1, cannotBeTold: 0 },
  holds: { ready: 0, real: null, simulated: null, cannotBeTold: 0 },
  limits: { books: refused, holds: refused, renewals: refused, fees: refused, readers: 0 },
  cannotBeTold: looser,
  changedReaders: 1,
};
const inState = (state: SimulationState): SimulationView => ({
  ...{ id: ID, state, progress: 0, from: '2026-01-01', to: '2026-01-31', rules, failure: null },
  ...{ askedAt: '2026-02-01T08:00:00.000Z', askedBy: null, answer: state === 'done' ? answer : null },
});
const fieldsOf = (request: unknown) =>
  askForSimulation.body.safeParse(request).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('what a trial is asked with', () => {
  it('may leave the days out', () => {
    const request: SimulationRequest = { rules };
    expect(fieldsOf(request)).toEqual([]);
    expect(fieldsOf({ rules, from: null, to: null })).toEqual([]);
  });

  it('names the field of a draft that is no rules, and of days that are none', () => {
    expect(fieldsOf({ rules: { ...rules, loanDays: 0 } })).toEqual(['rules.loanDays']);
    expect(fieldsOf({ rules, from: '2026-13-01' })).toContain('from');
    expect(fieldsOf({ rules, from: '2026-02-01', to: '2026-01-01' })).toEqual(['to']);
    expect(fieldsOf({ rules, from: '2001-01-01', to: '2026-01-01' })).toEqual(['to']);
    expect(readSimulation.params.safeParse({ id: 'none' }).success).toBe(false);
  });
});

describe('what is told of a trial', () => {
  it('is the same in every state, with an answer once it is done', () => {
    expect(askForSimulation.answer.parse({ id: ID })).toEqual({ id: ID });
    for (const state of ['waiting', 'running', 'done', 'failed', 'cancelled'] as const)
      expect(simulationSchema.parse(inState(state))).toEqual(inState(state));
    const latest: LatestSimulation = { simulation: inState('done') };
    expect(readLatestSimulation.answer.parse(latest)).toEqual(latest);
  });

  it('names ten readers at most', () => {
    const reader = { id: ID, fullname: 'Maria', real: 50, simulated: 80 };
    const all: SimulationReaders = { items: Array.from({ length: READERS_SHOWN }, () => reader) };
    expect(readSimulationReaders.answer.safeParse(all).success).toBe(true);
    expect(readSimulationReaders.answer.safeParse({ items: [...all.items, reader] }).success).toBe(false);
  });
});
