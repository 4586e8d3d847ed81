import type { ProcessReport } from '#platform/operations/heartbeat.js';
import { observeParts } from './observe-parts.js';

const GB = 1024 ** 3;
const report = (over: Partial<ProcessReport> = {}): ProcessReport => ({
  ...{ process: 'a', kind: 'server', host: 'one', pid: 1, version: '0.1.0', node: '20.20.2' },
  ...{ started: new Date(0), seen: new Date(0), silent: false, checks: {}, facts: {} },
  ...over,
});
const server = (checks: ProcessReport['checks'], over: Partial<ProcessReport> = {}) =>
  report({ checks, ...over });
const projections = report({ kind: 'projections', process: 'p' });
const good = { ok: true };
const bad = { ok: false };

describe('how parts do, by what processes find', () => {
  const seen = (...reports: ProcessReport[]) => observeParts(reports);

  it('are red where no process reaches them, and yellow where some do', () => {
    expect(seen(server({ eventStore: bad }), server({ eventStore: bad })).get('eventStore')).toEqual({
      ...{ level: 'bad', reason: 'away', facts: {} },
    });
    expect(seen(server({ eventStore: bad }), server({ eventStore: good })).get('eventStore')).toEqual({
      ...{ level: 'warning', reason: 'partly', facts: { bad: 1, of: 2 } },
    });
    expect(seen(server({ eventStore: good })).get('eventStore')?.level).toBe('ok');
    expect(seen(server({})).has('eventStore')).toBe(false);
  });

  it('do not count what silent processes found', () => {
    const silent = server({ eventStore: bad }, { silent: true, facts: { jobs: true } });
    expect(seen(silent, server({ eventStore: good })).get('eventStore')?.level).toBe('ok');
    expect(seen(silent).get('worker')).toMatchObject({ level: 'bad', reason: 'nobody' });
  });

  it('are red where nobody does the work', () => {
    expect(seen(server({ projection: good })).get('projection')).toMatchObject({ reason: 'nobody' });
    expect(seen(server({ projection: good }), projections).get('projection')?.level).toBe('ok');
    expect(seen(server({}, { facts: { jobs: true } })).get('worker')?.level).toBe('ok');
  });

  it('say why the lists do not get on', () => {
    const lists = (check: ProcessReport['checks'][string]) =>
      seen(server({ projection: check }), projections).get('projection');
    expect(lists({ ok: false, state: 'stopped' })).toMatchObject({ level: 'bad', reason: 'stopped' });
    expect(lists({ ok: false, state: 'retrying' })).toMatchObject({ level: 'bad', reason: 'retrying' });
    expect(lists({ ok: false, lagSeconds: 61.4 })).toMatchObject({
      reason: 'behind',
      facts: { seconds: 61 },
    });
    // The event log is what is red then.
    expect(lists(bad)).toMatchObject({ level: 'warning', reason: 'unknown' });
  });

  it('tell a mail server that is not set from one that is away, and jobs that failed', () => {
    const mail = (check: ProcessReport['checks'][string]) =>
      seen(server({ mailServer: check })).get('mailServer');
    expect(mail({ ok: false, state: 'not set' })).toMatchObject({ level: 'warning', reason: 'not-set' });
    expect(mail(bad)).toMatchObject({ level: 'bad', reason: 'away' });
    expect(seen(server({ jobs: { ok: true, failed: 2 } })).get('jobs')).toEqual({
      ...{ level: 'warning', reason: 'failed-jobs', facts: { failed: 2 } },
    });
    expect(seen(server({ payments: { ok: true, stuckRefunds: 1 } })).get('payments')).toMatchObject({
      reason: 'stuck-refunds',
    });
  });

  it('look at the share of the disk that is free, unless much is', () => {
    const disk = (free: number, total: number) =>
      seen(server({}, { facts: { disk: { free: free * GB, total: total * GB } } })).get('disk');
    expect(disk(30, 100)?.level).toBe('ok');
    expect(disk(9, 100)).toEqual({ level: 'warning', reason: 'low', facts: { percent: 9 } });
    expect(disk(2, 100)).toEqual({ level: 'bad', reason: 'full', facts: { percent: 2 } });
    expect(disk(60, 10_000)?.level).toBe('ok');
  });
});
