import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_KINDS } from '#contracts/webhooks/webhooks.js';
import { chanceOf } from '../../test-support/arbitraries/chance.js';
import { OwnProcess } from '../../test-support/installation/own-process.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { storeByTurns } from '../../test-support/event-store/stored-events.js';
import { waitFor } from '../../test-support/wait-for.js';
import { startWebhookReceiver } from '../../test-support/services/webhook-receiver.js';

const READERS = 12;
const EVENTS_OF_EACH = 60;
const KILLS = 4;

/** A webhook, and the two workers that tell it killed again and again amid deliveries. */
describe('events told by workers that are killed', () => {
  const product = shared(() =>
    startProduct(undefined, { environment: { JOBS: 'off', PRIVATE_HOSTS: '127.0.0.1' } }),
  );
  const receiver = shared(() => startWebhookReceiver());
  const workers: OwnProcess[] = [];
  afterAll(async () => {
    for (const worker of workers) await worker.kill();
  });

  const startWorker = async () => {
    const worker = OwnProcess.worker(product, { PRIVATE_HOSTS: '127.0.0.1' });
    workers.push(worker);
    await worker.until(async () => worker.output.includes('the worker works'));
    return worker;
  };

  it('are all received, in the order of each reader, and again only with the id that they had', async () => {
    const chance = chanceOf('webhooks under kills');
    const admin = await product.account('Admin');
    const { status } = await admin.post('Webhook', {
      address: receiver.url,
      kinds: EVENT_KINDS,
      names: false,
    });
    expect(status).toBe(201);
    // Answers take a while, so that a kill comes amid a delivery.
    receiver.reply = (received) => (response) => {
      received.isTaken = true;
      setTimeout(() => response.writeHead(204).end(), 10);
    };
    let [killed, other] = [await startWorker(), await startWorker()];
    const histories = await storeByTurns(product, READERS, EVENTS_OF_EACH);
    const all = histories.flat();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = receiver.taken().length;
      // While a slow machine starts one worker, the other may tell all that is left.
      const enough = Math.min(before + 50, all.length - 1);
      await waitFor(() => receiver.taken().length > enough, 150_000);
      await sleep(chance.below(200));
      await killed.kill();
      await other.kill();
      // Nobody renews what the dead have leased: it would run out within a minute.
      await product.database.query('update webhook set leased_until = now()');
      [killed, other] = [await startWorker(), await startWorker()];
    }
    await waitFor(() => receiver.taken().length === all.length, 200_000);
    const repeated = receiver.received.length - all.length;
    process.stdout.write(`${all.length} events, ${KILLS * 2} kills, ${repeated} repetitions\n`);
    for (const history of histories)
      expect(receiver.taken().filter((id) => history.includes(id))).toEqual(history);
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set(all));
    // Of what a worker tells one after the other, it can have one in hand when it dies.
    expect(repeated).toBeLessThanOrEqual(KILLS);
  });
});
