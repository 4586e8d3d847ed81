import { EventEmitter } from 'node:events';
import { NotifiedCache } from './notified-cache.js';
import type { Notifications } from './notifications.js';

/** A cache over values that the test changes; a read waits until the test lets it go on. */
function cacheOver(values: Record<string, string>) {
  const reads: { key: string; goOn: () => void }[] = [];
  class Kinds extends NotifiedCache<string> {
    protected async read(key: string): Promise<string | undefined> {
      const value = values[key];
      await new Promise<void>((resolve) => reads.push({ key, goOn: resolve }));
      return value;
    }
  }
  const notifications = new EventEmitter() as Notifications;
  const cache = new Kinds(notifications, 'readerKinds', 10);
  cache.onModuleInit();
  const got = async (key: string) => {
    const value = cache.get(key);
    reads.at(-1)?.goOn();
    return value;
  };
  return { cache, notifications, reads, got };
}

describe('a cache that is told of changes', () => {
  it('reads once, for all who ask meanwhile and afterwards', async () => {
    const { cache, reads } = cacheOver({ anna: 'child' });
    const asked = [cache.get('anna'), cache.get('anna')];
    reads[0]?.goOn();
    expect(await Promise.all(asked)).toEqual(['child', 'child']);
    expect(await cache.get('anna')).toBe('child');
    expect(cache.known('anna')).toBe('child');
    expect(reads).toHaveLength(1);
  });

  it('reads again what has changed, and all after something may have been missed', async () => {
    const values = { anna: 'child', jan: 'adult' };
    const { notifications, got } = cacheOver(values);
    expect([await got('anna'), await got('jan')]).toEqual(['child', 'adult']);
    Object.assign(values, { anna: 'adult', jan: 'staff' });
    notifications.emit('readerKinds', 'anna');
    expect([await got('anna'), await got('jan')]).toEqual(['adult', 'adult']);
    notifications.emit('gap');
    expect(await got('jan')).toBe('staff');
  });

  it('does not keep what was read before a change, nor give it to who asks after it', async () => {
    const values = { anna: 'child' };
    const { cache, notifications, reads } = cacheOver(values);
    const before = cache.get('anna');
    values.anna = 'adult';
    notifications.emit('readerKinds', 'anna');
    const after = cache.get('anna');
    reads[1]?.goOn();
    expect(await after).toBe('adult');
    reads[0]?.goOn();
    expect(await before).toBe('child');
    expect(cache.known('anna')).toBe('adult');
  });

  it('remembers nothing of what is not there, and forgets by what a value says', async () => {
    const { cache, reads, got } = cacheOver({ anna: 'child', jan: 'adult' });
    expect([await got('nobody'), await got('nobody')]).toEqual([undefined, undefined]);
    expect(reads).toHaveLength(2);
    await Promise.all([got('anna'), got('jan')]);
    cache.forgetWhere((kind) => kind === 'child');
    expect([cache.known('anna'), cache.known('jan')]).toEqual([undefined, 'adult']);
  });

  it('listens until it is told not to', async () => {
    const { cache, notifications, got } = cacheOver({ anna: 'child' });
    await got('anna');
    cache.onModuleDestroy();
    notifications.emit('readerKinds', 'anna');
    expect(cache.known('anna')).toBe('child');
    expect(notifications.listenerCount('gap')).toBe(0);
  });
});
