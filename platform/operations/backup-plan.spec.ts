import { readSettings } from '../settings.js';
import { nextBackup } from './backup-plan.js';

const next = (
  environment: NodeJS.ProcessEnv,
  last: string | undefined,
  since: string,
  zone = 'Europe/Warsaw',
) =>
  nextBackup(
    readSettings({ BACKUP_FOLDER: '/backups', ...environment }),
    last === undefined ? undefined : new Date(last),
    new Date(since),
    zone,
  )?.toISOString();

describe('when the next backup is due', () => {
  it('is never without a folder', () => {
    expect(next({ BACKUP_FOLDER: '' }, undefined, '2026-11-22T12:00:00Z')).toBeUndefined();
  });

  it('is at the time of day of the library, the first one too', () => {
    expect(next({}, undefined, '2026-11-22T12:00:00Z')).toBe('2026-11-23T02:00:00.000Z');
    expect(next({}, undefined, '2026-11-22T01:00:00Z')).toBe('2026-11-22T02:00:00.000Z');
    expect(next({ BACKUP_AT: '22:30' }, '2026-11-21T21:30:05Z', '2026-11-01T00:00:00Z')).toBe(
      '2026-11-22T21:30:00.000Z',
    );
  });

  it('is past where the library was off at that time', () => {
    expect(next({}, '2026-11-10T02:00:03Z', '2026-11-22T12:00:00Z')).toBe('2026-11-11T02:00:00.000Z');
  });

  it('is once a day when clocks change', () => {
    // On the 29th of March clocks go from two to three, on the 25th of October from three to two.
    expect(next({}, '2026-03-28T02:00:01Z', '2026-03-01T00:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next({}, '2026-03-29T01:00:01Z', '2026-03-01T00:00:00Z')).toBe('2026-03-30T01:00:00.000Z');
    expect(next({}, '2026-10-24T01:00:01Z', '2026-03-01T00:00:00Z')).toBe('2026-10-25T02:00:00.000Z');
    expect(next({}, '2026-10-25T02:00:01Z', '2026-03-01T00:00:00Z')).toBe('2026-10-26T02:00:00.000Z');
  });

  it('is so long after the last one, and at once where there is none', () => {
    expect(next({ BACKUP_EVERY: '6h' }, '2026-11-22T12:00:00Z', '2026-11-01T00:00:00Z')).toBe(
      '2026-11-22T18:00:00.000Z',
    );
    expect(next({ BACKUP_EVERY: '30m' }, undefined, '2026-11-22T12:00:00Z')).toBe('2026-11-22T12:00:00.000Z');
  });

  it('is refused where the settings are no times', () => {
    expect(() => readSettings({ BACKUP_AT: '25:00' })).toThrow(/BACKUP_AT: must be a time of day/);
    expect(() => readSettings({ BACKUP_EVERY: 'daily' })).toThrow(
      /BACKUP_EVERY: must be minutes, hours or days/,
    );
    expect(() => readSettings({ BACKUP_RECIPIENT: 'me' })).toThrow(
      /BACKUP_RECIPIENT: must be public keys of age/,
    );
  });
});
