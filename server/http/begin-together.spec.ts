import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { beginTogether } from './begin-together.js';

describe('calls that come together', () => {
  const calls = () => {
    const begun: string[] = [];
    const handle = beginTogether();
    const call = (method: string, name: string) => {
      const response = new EventEmitter();
      handle({ method } as Request, response as Response, () => begun.push(name));
      return response;
    };
    return { begun, call };
  };
  const changes = Array.from({ length: 30 }, (_, index) => `change ${index}`);

  it('begin in one turn and in their order', async () => {
    const { begun, call } = calls();
    for (const name of changes) call('POST', name);
    expect(begun).toEqual([]);
    await nextTurn();
    expect(begun).toEqual(changes);
    call('DELETE', 'later');
    await nextTurn();
    expect(begun.at(-1)).toBe('later');
  });

  it('begin a few at a time while somebody reads, who does not wait', async () => {
    const { begun, call } = calls();
    for (const name of changes) call('POST', name);
    const read = call('GET', 'read');
    expect(begun).toEqual(['read']);
    await nextTurn();
    expect(begun.length).toBeGreaterThan(1);
    expect(begun.length).toBeLessThan(12);
    // Answered, or the reader has left.
    read.emit('close');
    await nextTurn();
    await nextTurn();
    expect(begun).toEqual(['read', ...changes]);
  });
});
