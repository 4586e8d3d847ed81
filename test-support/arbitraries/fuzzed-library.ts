import { builtInOf, rightsOf, type Allowed, type Role } from '#contracts/permissions.js';
import { fuzzApi, type FuzzOutcome } from './api-fuzz.js';
import { startBookServices, type BookServices } from '../services/book-services.js';
import type { Chance } from './chance.js';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { bindKiosk, type TestKiosk } from '../product/kiosk.js';
import { startProduct, type TestAccount, type TestProduct } from '../product/product.js';

/** What a fuzz must find nowhere: `ofNobody` in no answer at all, `ofOthers` in none to readers, auditors and guests. */
const CANARIES = {
  ofNobody: 'canary-password-hash-7f3a',
  ofOthers: ['Canary Street 7f3a', 'Canaryville 7f3a', '77-777-canary'],
};

export type Attacker = 'guest' | 'device' | 'reader' | 'auditor' | 'admin';
const ROLES: Record<Attacker, Role[]> = {
  guest: [],
  device: [],
  reader: ['Reader'],
  auditor: ['Reader', 'Auditor'],
  admin: ['Reader', 'Admin'],
};

/** A library with a victim in it, whose things nobody but admins may see or change. */
export class FuzzedLibrary {
  private constructor(
    readonly product: TestProduct,
    private readonly services: BookServices,
    private readonly victim: TestAccount,
    private readonly kiosk: TestKiosk,
    private readonly known: (string | number)[],
  ) {}

  static async start(): Promise<FuzzedLibrary> {
    const services = await startBookServices();
    const product = await startProduct(undefined, {
      environment: { OPEN_LIBRARY_URL: services.url, GOOGLE_BOOKS_URL: services.url },
    });
    const [victim, subject, admin] = [
      await product.account(),
      await product.account(),
      await product.account('Admin'),
    ];
    await product.database.query(
      `update account set password_hash = $2, adress = $3, city = $4, postal_code = $5 where id = $1`,
      [victim.id, CANARIES.ofNobody, ...CANARIES.ofOthers],
    );
    const books = [await product.book(500), await product.book(3), await product.book(0)];
    const borrows = [];
    for (const bookIds of [[books[0]], [books[1]]]) {
      borrows.push((await victim.post('Borrow/rent-books', { bookIds })).body.borrowId as string);
    }
    await admin.post(`Borrow/issue-books?borrowId=${borrows[0]}&userId=${victim.id}`, {
      bookIds: [books[0]],
    });
    const texts = { nationality: 'Polish', biography: 'Wrote of oceans that think.' };
    await admin.post('Author/add', { firstname: 'Stanisław', lastname: 'Lem', ...texts });
    await admin.post('Genre/add', { name: 'Fiction', description: 'What never was.' });
    const kiosk = await bindKiosk(product.url, admin);
    const { body } = await admin.get(`Reader/panel?id=${subject.id}`);
    const visit = await kiosk.post('SelfService/visit', { card: body.card.number as string });
    const [things, people] = [
      [...books, 1, 2, copyCode({ bookId: await product.book(5), copy: 1 })],
      [victim.id, subject.id, visit.body.visit as string, body.card.number as string],
    ];
    return new FuzzedLibrary(product, services, victim, kiosk, [...things, ...people, ...borrows]);
  }

  /** Makes each call so often that this caller may make. */
  attack(as: Attacker, chance: Chance, rounds: number, prints = false): Promise<FuzzOutcome> {
    const { product, known } = this;
    const { JWT_SECRET, DATABASE_URL } = product.settings;
    const roles = ROLES[as];
    const group: Allowed[] = as === 'device' ? ['Device'] : roles.length > 0 ? ['SignedIn'] : [];
    return fuzzApi({
      url: product.url,
      chance,
      may: ['Everybody', ...group, ...rightsOf(builtInOf(roles)).permissions],
      rounds,
      known,
      token: async () => (roles.length > 0 ? (await product.account(...roles)).token : undefined),
      ...(as === 'device' && { cookie: this.kiosk.cookie }),
      secrets: [JWT_SECRET, DATABASE_URL, CANARIES.ofNobody, ...(as === 'admin' ? [] : CANARIES.ofOthers)],
      prints,
    });
  }

  /** What of the library nobody but an admin may change. */
  async guarded(): Promise<unknown> {
    const { rows } = await this.product.database.query<{ digest: string }>(
      `select (select md5(string_agg(a::text, '' order by id)) from account a where id = $1) || ' '
         || (select count(*) from account where 'Admin' = any(roles)) || ' '
         || (select md5(string_agg(b.title || b.copies_total, '' order by id)) from book b) || ' '
         || (select count(*) from author) || ' ' || (select count(*) from genre) as digest`,
      [this.victim.id],
    );
    const { body } = await (await this.product.signIn(this.victim)).get('Borrow/history');
    return { digest: rows[0]?.digest, history: body as unknown };
  }

  async close(): Promise<void> {
    await this.product.close();
    await this.services.close();
  }
}
