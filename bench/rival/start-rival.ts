import { fork } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import { queryRows } from '#platform/database/query-rows.js';
import { answerOf } from '../child-answer.js';
import { borrowSteps, type Operation } from '../borrow-clients.js';
import { httpCaller } from '../http-caller.js';
import { closedLoop, rate } from '../measure.js';
import type { RivalWish } from './rival-server.js';
import { rivalToken } from './rival-token.js';

/** The rival in a process of its own, with its clients. */
export interface Rival {
  step: Operation;
  pid: number;
  /** Finds the size of its pool that serves so many clients best, and leaves it there. */
  tune(clients: number): Promise<{ poolSize: number; tried: Record<number, number> }>;
  stop(): Promise<void>;
}

const SIZES = [1, 2, 4, 6, 8, 12, 16, 32, 64];
const SECONDS_A_SIZE = 1.5;

/**
 * Starts it.
 * @param entry the file to run, with what makes it the rival
 * @param databaseUrl an empty database for it alone
 * @param most clients there will be
 */
export async function startRival(
  entry: { file: string; role: string },
  databaseUrl: string,
  most: number,
): Promise<Rival> {
  const child = fork(entry.file, [entry.role, databaseUrl]);
  const address = await answerOf<string>(child);
  const { call, close } = httpCaller(address, most);
  const books = await makeBooks(databaseUrl, most);
  const caller = (...roles: string[]) => {
    const id = randomUUID();
    return { id, token: rivalToken(id, roles) };
  };
  const readers = books.map(() => caller('Reader'));
  const step = borrowSteps(call, readers, caller('Reader', 'Admin'), books);
  const resize = async (poolSize: number) => {
    child.send({ poolSize } satisfies RivalWish);
    await answerOf(child);
  };
  return {
    step,
    pid: child.pid ?? 0,
    tune: async (clients) => {
      const tried: Record<number, number> = {};
      let best = { poolSize: 1, perSecond: 0 };
      for (const poolSize of SIZES.filter((size) => size <= clients || size === 2)) {
        await resize(poolSize);
        await closedLoop(clients, SECONDS_A_SIZE / 3, step);
        const perSecond = rate(await closedLoop(clients, SECONDS_A_SIZE, step));
        tried[poolSize] = Math.round(perSecond);
        if (perSecond > best.perSecond) best = { poolSize, perSecond };
      }
      await resize(best.poolSize);
      return { poolSize: best.poolSize, tried };
    },
    stop: async () => {
      close();
      if (!child.connected) return;
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

async function makeBooks(databaseUrl: string, count: number): Promise<number[]> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  try {
    const rows = await queryRows(
      database,
      z.object({ id: z.int() }),
      `insert into book (title, available) select 'A book to measure with, volume ' || n, 2
       from generate_series(1, $1) n returning id`,
      [count],
    );
    return rows.map(({ id }) => id);
  } finally {
    await database.end();
  }
}
