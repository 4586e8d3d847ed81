import { CHANNELS } from '#platform/database/notifications.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { callApi } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

/** What nobody can make sense of: the rows themselves are looked at. */
const NONSENSE = { position: 'far' };

describe('the progress of the read models', () => {
  const product = shared(() => startProduct());
  const reader = shared(() => product.account());
  let log = '';
  beforeAll(async () => {
    await reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] });
    const first = await waitFor(async () => (await told()) ?? undefined);
    // From here on the rows move as the test has it.
    await product.closeProjections();
    log = first.split('.')[0] ?? '';
  });

  /** The position that an answer names: to who knows none; to who knows one, where the rows have not reached it. */
  const told = async (known?: string) => {
    const headers = known === undefined ? {} : { 'lectern-position': known };
    const { token } = reader;
    const answer = await callApi(product.url, 'GET', 'Borrow/history', { token, headers });
    return answer.headers.get('lectern-position');
  };
  const logged = (position: number) => `${log}.${position}`;
  const tell = (payload: object) =>
    product.database.query('select pg_notify($1, $2)', [CHANNELS.readModels, JSON.stringify(payload)]);
  const move = async (position: number) => {
    await product.database.query(`update ${READ_MODEL}.checkpoint set commit_position = $1`, [position]);
    await tell(NONSENSE);
  };

  it('answers who waits by what is told, or by the rows themselves where what is told is nonsense', async () => {
    const byWord = told(logged(1_000_010));
    await tell({ position: '1000010', schema: READ_MODEL });
    expect(await byWord).toBeNull();
    expect(await told()).toBe(logged(1_000_010));

    const byRows = told(logged(1_000_020));
    await move(1_000_020);
    expect(await byRows).toBeNull();
    expect(await told()).toBe(logged(1_000_020));
  });

  it('goes back with rows that a crash of the database has lost', async () => {
    for (const position of [1_000_050, 1_000_040]) {
      await move(position);
      await waitFor(async () => (await told()) === logged(position));
    }
    const waits = told(logged(1_000_050));
    await move(1_000_050);
    expect(await waits).toBeNull();
  });
});
