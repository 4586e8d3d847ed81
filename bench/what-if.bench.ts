/**
 * How long the fold of a trial takes for a million events of readers' histories, without reading them: what is left of its 20
 * seconds is for the log. Floor: the same events folded as commands fold them. Both in turns, reader by reader, in processor time.
 * Run it from the build: `node dist/bench/what-if.bench.js [events] [--json FILE]`.
 */
import { randomUUID } from 'node:crypto';
import { borrowRules } from '#borrowing/borrow.policy.js';
import { fold } from '#borrowing/borrow-state.js';
import { Trial } from '#borrowing/trial.js';
import { borrowHistory } from './borrow-histories.js';
import { printTable } from './measure.js';
import { writeRawFigures } from './raw-figures.js';

const EVENTS = Number(/^\d+$/.test(process.argv[2] ?? '') ? process.argv[2] : 1_000_000);
const EVENTS_OF_READER = 50;
const rules = borrowRules('Europe/Warsaw');
const draft = { ...rules, loanDays: 7, finePerBookAndDay: 80, maxRenewals: 1 };
const trial = new Trial(draft, rules, {
  from: '2025-01-01T00:00:00.000Z',
  until: '2027-01-01T00:00:00.000Z',
});
const books = Array.from({ length: 2_000 }, (_, index) => index + 1);

const used = { floor: 0, trial: 0 };
const measured = (what: keyof typeof used, work: () => void) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  used[what] += (user + system) / 1_000_000;
};
let events = 0;
while (events < EVENTS) {
  const reader = randomUUID();
  const history = borrowHistory(reader, EVENTS_OF_READER, books);
  measured('floor', () => fold(history));
  measured('trial', () => history.forEach((event, revision) => trial.add(reader, event, revision)));
  events += history.length;
}
measured('trial', () => trial.finish());

const row = (what: string, seconds: number) => ({
  what,
  seconds: seconds.toFixed(2),
  'µs an event': ((seconds * 1_000_000) / events).toFixed(2),
});
printTable([row('floor: the fold of commands', used.floor), row('a trial', used.trial)]);
writeRawFigures({ events, ...used });
