import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { millisecondsLeft } from '#platform/deadline.js';
import { createLogger } from '#platform/logging.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { correlation } from './correlation.js';
import { enforceDeadline } from './request-deadline.js';

describe('the last word on a call', () => {
  const TIME = 300;
  const lefts: Record<string, number> = {};
  const server = shared(
    async () => {
      const app = express();
      app.use(correlation, enforceDeadline(TIME, createLogger('silent')));
      app.all('/never', () => undefined);
      app.get('/piecemeal', (_request, response) => {
        response.write('a line\n');
        setTimeout(() => {
          lefts['piecemeal'] = millisecondsLeft();
          response.end('the last line\n');
        }, 2 * TIME);
      });
      app.all('/late', (_request, response) => {
        setTimeout(() => {
          lefts['late'] = millisecondsLeft();
          response.end();
        }, 2 * TIME);
      });
      const listening = createServer(app).listen(0, '127.0.0.1');
      await once(listening, 'listening');
      return listening;
    },
    (listening) => {
      listening.closeAllConnections();
      listening.close();
    },
  );

  const ask = async (path: string, method = 'GET') => {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  it('is said for a handler that never answers: one that changes something may have done so', async () => {
    const [read, write] = await Promise.all([ask('/never'), ask('/never', 'POST')]);
    for (const { status, headers } of [read, write]) {
      expect([status, headers.get('retry-after'), headers.get('content-type')]).toEqual([
        503,
        '2',
        'application/problem+json; charset=utf-8',
      ]);
    }
    expect(JSON.parse(read.text)).toMatchObject({
      code: 'AnswerTookTooLong',
      detail: expect.stringMatching(/try again/) as string,
    });
    expect(JSON.parse(write.text)).toMatchObject({
      detail: expect.stringMatching(/may or may not have been done/) as string,
    });
  });

  it('cuts no answer that is on its way, and each of its parts has time of its own', async () => {
    const { status, text } = await ask('/piecemeal');
    expect([status, text]).toEqual([200, 'a line\nthe last line\n']);
    expect(lefts['piecemeal']).toBeGreaterThan(0);
  });

  it('leaves no time to a handler that goes on after it', async () => {
    expect((await ask('/late')).status).toBe(503);
    await waitFor(() => lefts['late'] !== undefined);
    expect(lefts['late']).toBe(0);
  });
});
