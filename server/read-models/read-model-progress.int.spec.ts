import { CHANNELS, Notifications } from '#platform/database/notifications.js';
import { createTestDatabase } from '../../test-support/database.js';
import { startTestServer } from '../../test-support/server-app.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { ReadModelProgress } from './read-model-progress.js';
import { ReadModelsModule } from './read-models.module.js';
import { READ_MODEL } from '#platform/database/read-model.js';

describe('the progress of the read models', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const server = shared(() => startTestServer(database.url, [ReadModelsModule]));

  it.each([
    ['what is told', JSON.stringify({ position: '10', schema: READ_MODEL }), 10n],
    ['the rows themselves where what is told is nonsense', '{"position":"far"}', 20n],
  ])('answers who waits by %s', async (_, payload, position) => {
    const progress = server.app.get(ReadModelProgress);
    await server.database.query(`update ${READ_MODEL}.checkpoint set commit_position = $1`, [position]);
    const reached = progress.reached(position);
    await server.database.query('select pg_notify($1, $2)', [CHANNELS.readModels, payload]);
    expect(await reached).toBe(true);
    expect(progress.position).toBe(position);
  });

  it('goes back with rows that a crash of the database has lost', async () => {
    const progress = server.app.get(ReadModelProgress);
    const lookUp = async (position: bigint) => {
      await server.database.query(`update ${READ_MODEL}.checkpoint set commit_position = $1`, [position]);
      server.app.get(Notifications).emit('gap');
      await waitFor(() => progress.position === position);
    };
    await lookUp(50n);
    await lookUp(40n);
    expect([progress.isAt(40n), progress.isAt(50n)]).toEqual([true, false]);
    const reached = progress.current(50n);
    await lookUp(50n);
    expect(await reached).toBe(true);
  });
});
