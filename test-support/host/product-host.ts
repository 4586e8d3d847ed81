import { openDatabase } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { Accounts, type SignedInAccount } from './accounts.js';
import { HostedClock, type ClockState } from './hosted-clock.js';
import {
  dropStore,
  HostedProduct,
  openStore,
  type HostedStore,
  type ProductOptions,
} from './hosted-product.js';

const stores = new Map<string, HostedStore>();
const products = new Map<string, HostedProduct>();
const clocks = new Map<string, HostedClock>();
/** Of products that run elsewhere, by their database and secret. */
const accounts = new Map<string, Accounts>();

/** What a test may ask of this process. A product is named by a key that the test chooses. */
const calls = {
  /** Makes a database and starts an event store for a product; its address is where the product would find the store. */
  async openStore(key: string, options: ProductOptions): Promise<string> {
    const opened = await openStore(options);
    stores.set(key, opened);
    return opened.store.url;
  },

  async startProduct(key: string, eventStoreUrl: string, clockKey: string, options: ProductOptions) {
    const owned = stores.get(key);
    const clock = clocks.get(clockKey);
    if (!owned || !clock) throw new Error('A product needs a store and a clock.');
    const { product, ...started } = await HostedProduct.start(owned, eventStoreUrl, clock, options);
    products.set(key, product);
    return { ...started, settings: product.settings, pid: process.pid };
  },

  setClock(key: string, state: ClockState): void {
    const clock = clocks.get(key);
    if (clock) clock.state = state;
    else clocks.set(key, new HostedClock(state));
  },

  /** Writes an account and a session into the database of a product that runs elsewhere. */
  addAccount(databaseUrl: string, secret: string, roles: string[], now: Date): Promise<SignedInAccount> {
    const key = `${databaseUrl} ${secret}`;
    const there =
      accounts.get(key) ?? new Accounts(openDatabase(databaseUrl, 4, createLogger('silent')), secret);
    accounts.set(key, there);
    return there.add(roles, now);
  },

  /** @param path of a method: `account`, `log.readStream` */
  async onProduct(key: string, path: string, args: unknown[]): Promise<unknown> {
    const product = products.get(key);
    if (!product) throw new Error('The product is closed.');
    const names = path.split('.');
    const method = names.pop() ?? '';
    const owner = names.reduce<object>((at, name) => Reflect.get(at, name) as object, product);
    const found: unknown = Reflect.get(owner, method);
    return typeof found === 'function' ? ((await found.apply(owner, args)) as unknown) : found;
  },

  /** Closes a product, or a store for which none was started. */
  async closeProduct(key: string): Promise<void> {
    const [product, owned] = [products.get(key), stores.get(key)];
    products.delete(key);
    stores.delete(key);
    await (product ? product.close() : owned && dropStore(owned));
  },

  /** Closes what a test file left behind. Gives the bytes that this process takes. */
  async closeAll(): Promise<number> {
    for (const key of stores.keys()) await calls.closeProduct(key);
    for (const { database } of accounts.values()) await database.end();
    accounts.clear();
    clocks.clear();
    return process.memoryUsage.rss();
  },
};

export type HostCalls = typeof calls;

/** Of an error's own properties, those that can be sent. */
function errorToSend(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const simple = Object.entries(error).filter(([, value]) => Object(value) !== value);
  const { name, message, stack } = error;
  return { ...Object.fromEntries(simple), name, message, stack };
}

process.on('message', ({ id, call, args }: { id: number; call: keyof HostCalls; args: unknown[] }) => {
  const method = calls[call] as (...args: unknown[]) => unknown;
  Promise.resolve()
    .then(() => method(...args))
    .then(
      (result) => process.send?.({ id, result }),
      (error: unknown) => process.send?.({ id, error: errorToSend(error) }),
    );
});
// The worker that it served has ended.
process.once('disconnect', () => process.exit());
