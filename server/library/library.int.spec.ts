import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { LOGO_FIELD, NO_FACTS, type LibraryView } from '#contracts/library/library-facts.js';
import { money } from '#contracts/money.js';
import { READ_MODEL_RELEASE, readModelSchema } from '#platform/database/read-model.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { createTestDatabase } from '../../test-support/database.js';
import { caller, makeAccount } from '../../test-support/product.js';
import { startTestServer } from '../../test-support/server-app.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LibraryModule } from './library.module.js';

/** The secret of test servers. */
const SECRET = 'only-for-tests-only-for-tests-only-for-tests';
const WOLA = {
  name: 'Biblioteka na Woli',
  shortName: 'Wola',
  email: 'wola@example.org',
  address: 'ul. Wolska 1\nWarszawa',
};

describe('what the library says of itself', () => {
  const database = shared(() => createTestDatabase('migrated'));
  const server = shared(() => startTestServer(database.url, [AccountsModule, LibraryModule]));
  /** Another process of the same installation. */
  const other = shared(() =>
    startTestServer(database.url, [LibraryModule], { APP_TITLE: 'By the environment' }),
  );
  const account = async (...roles: 'Admin'[]) =>
    makeAccount(await server.app.getUrl(), SECRET, server.database, server.clock, ['Reader', ...roles]);
  const logo = (bytes: Buffer) => {
    const form = new FormData();
    form.set(LOGO_FIELD, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png');
    return form;
  };
  const upload = async (token: string, bytes: Buffer) => {
    const answer = await fetch(`${await server.app.getUrl()}/api/Library/logo`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: logo(bytes),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as LibraryView & { errors?: Record<string, string[]> },
    };
  };

  it('is nothing at first, and is known to every process once an admin has said it', async () => {
    const admin = await account('Admin');
    expect((await admin.get('Library')).body).toEqual({
      ...{ ...NO_FACTS, letters: undefined },
      timeZone: server.app.get(LibraryTimeZone).name,
      version: 0,
      fixed: { name: null, contact: null, timeZone: false, currency: false },
    });
    const { status, body } = await admin.put('Library', { ...NO_FACTS, ...WOLA, version: 0 });
    expect([status, body.version, body.name]).toEqual([200, 1, WOLA.name]);
    const [here, there] = [server.app.get(LibraryFacts), other.app.get(LibraryFacts)];
    await waitFor(async () => here.name === WOLA.name && there.all.name === WOLA.name);
    expect(here.contact).toBe('ul. Wolska 1\nWarszawa\nwola@example.org');
    // What the environment sets wins.
    expect(there.name).toBe('By the environment');
  });

  it('is changed by admins alone', async () => {
    const reader = await account();
    expect((await reader.put('Library', { ...NO_FACTS, version: 1 })).status).toBe(403);
    expect((await reader.get('Library')).status).toBe(403);
    expect((await reader.get('Library/changes')).status).toBe(403);
    expect((await upload(reader.token, Buffer.alloc(10))).status).toBe(403);
  });

  it('is not overwritten by who has not seen the latest of it', async () => {
    const admin = await account('Admin');
    const { version } = (await admin.get('Library')).body as LibraryView;
    const change = (name: string) => admin.put('Library', { ...NO_FACTS, ...WOLA, name, version });
    const answers = await Promise.all([change('One'), change('Other')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('ConcurrentChange');
  });

  it.each([
    ['email', 'wola'],
    ['accent', 'green'],
    ['accent', '#12345'],
    ['name', 'x'.repeat(61)],
    ['name', 'two\nlines'],
    ['timeZone', 'Europe/Wola'],
    // It has no hundredths.
    ['currency', 'JPY'],
    ['privacy', 'x'.repeat(20_001)],
  ])('refuses %s %j by its name', async (field, value) => {
    const admin = await account('Admin');
    const { version } = (await admin.get('Library')).body as LibraryView;
    const { status, body } = await admin.put('Library', { ...NO_FACTS, [field]: value, version });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  it('lists who changed what, and writes nothing where nothing changed', async () => {
    const admin = await account('Admin');
    const {
      version,
      fixed: _fixed,
      logo: _logo,
      ...facts
    } = (await admin.get('Library')).body as LibraryView;
    const changed = { ...facts, phone: '22 123 45 67', shortName: '' };
    await admin.put('Library', { ...changed, version });
    const again = await admin.put('Library', { ...changed, version: version + 1 });
    expect(again.body.version).toBe(version + 1);
    const { items, totalCount } = (await admin.get('Library/changes?pageSize=1')).body;
    expect(totalCount).toBe(version + 1);
    expect(items).toEqual([
      {
        version: version + 1,
        at: expect.any(String),
        by: expect.any(String),
        changes: [
          { fact: 'shortName', from: facts.shortName, to: '' },
          { fact: 'phone', from: '', to: '22 123 45 67' },
        ],
      },
    ]);
  });

  it('has a time zone that every process goes by, and that the environment may settle', async () => {
    const admin = await account('Admin');
    const { version } = (await admin.get('Library')).body as LibraryView;
    const zones = [server, other].map(({ app }) => app.get(LibraryTimeZone));
    const body = { ...NO_FACTS, ...WOLA, timeZone: 'Pacific/Apia', version };
    expect((await admin.put('Library', body)).body.timeZone).toBe('Pacific/Apia');
    await waitFor(() => zones.every(({ name }) => name === 'Pacific/Apia'));
    const settled = await startTestServer(database.url, [AccountsModule, LibraryModule], {
      TIME_ZONE: 'Pacific/Apia',
    });
    try {
      const there = await makeAccount(await settled.app.getUrl(), SECRET, settled.database, settled.clock, [
        'Admin',
      ]);
      const seen = (await there.get('Library')).body as LibraryView;
      expect(seen.fixed.timeZone).toBe(true);
      const refused = await there.put('Library', {
        ...body,
        timeZone: 'Europe/Warsaw',
        version: seen.version,
      });
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ['timeZone']]);
      // An empty one leaves it as it is.
      const kept = await there.put('Library', { ...body, timeZone: '', phone: '1', version: seen.version });
      expect([kept.status, kept.body.timeZone]).toEqual([200, 'Pacific/Apia']);
    } finally {
      await settled.stop();
    }
  });

  it('counts in another currency until the first fee', async () => {
    const admin = await account('Admin');
    const change = async (currency: string) => {
      const { version } = (await admin.get('Library')).body as LibraryView;
      return admin.put('Library', { ...NO_FACTS, ...WOLA, currency, version });
    };
    expect((await change('EUR')).body.currency).toBe('EUR');
    await waitFor(async () => money(1_250) === '€12.50');
    expect((await change('')).status).toBe(200);
    await waitFor(async () => money(1_250) === '12.50 PLN');
    await server.database.query(
      `insert into ${readModelSchema(READ_MODEL_RELEASE.version)}.borrow (borrow_id, reader_id, books, titles, rented_at, collect_by, status,
         charged, paid, waived, renewals, lent, reserved, undone, recent, revision, position)
       values ($1, $1, '[{"bookId": 1, "title": "x"}]', 'x', '2026-01-01', '2026-01-04', 'Not_Paid', 50, 0, 0, 0, 1, 0, false, '[]', 0, 0)`,
      [randomUUID()],
    );
    const refused = await change('EUR');
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      { currency: ['Fees have been charged in it already: it can no longer be changed.'] },
    ]);
    // What it counts in already is no change.
    expect((await change('PLN')).status).toBe(200);
    expect(((await admin.get('Library')).body as LibraryView).fixed.currency).toBe(true);
  });

  it('has a logo that was drawn anew, and keeps nothing of the file', async () => {
    const admin = await account('Admin');
    const picture = await sharp({ create: { width: 1200, height: 400, channels: 4, background: '#1b467a' } })
      .withExif({ IFD0: { Copyright: 'somebody at home' } })
      .png()
      .toBuffer();
    const { status, body } = await upload(admin.token, picture);
    expect([status, body.logo]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
    const answer = await fetch(`${await server.app.getUrl()}/api/Library/logo/${body.logo}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 480, height: 160 });
    expect(bytes.includes('somebody at home')).toBe(false);
    expect((await admin.delete('Library/logo')).body.logo).toBeNull();
    expect((await admin.get('Library/changes?pageSize=1')).body.items[0].changes).toEqual([
      { fact: 'logo', from: 'a picture', to: '' },
    ]);
  });

  it('takes no drawing for a logo, nor a damaged picture', async () => {
    const admin = await account('Admin');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const damaged = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40)]);
    for (const bytes of [svg, damaged]) {
      const { status, body } = await upload(admin.token, bytes);
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [LOGO_FIELD]]);
    }
  });

  it('shows pages of its own in Markdown, of which HTML is text', async () => {
    const admin = await account('Admin');
    const guest = caller(await server.app.getUrl(), '');
    expect((await guest.get('Library/pages/imprint')).status).toBe(404);
    const { version } = (await admin.get('Library')).body as LibraryView;
    const imprint = [
      '# Who we are',
      'A **library**. <img src=x onerror=alert(1)> [Write](mailto:wola@example.org)',
      '[no](javascript:alert(1)) ![no](https://example.org/x.png)',
    ].join('\n\n');
    await admin.put('Library', { ...NO_FACTS, imprint, version });
    const html = await waitFor(async () => {
      const { status, body } = await guest.get('Library/pages/imprint');
      return status === 200 && (body.html as string);
    });
    expect(html).toContain('<h2>Who we are</h2>');
    expect(html).toContain('<strong>library</strong>');
    expect(html).toContain('<a href="mailto:wola@example.org">Write</a>');
    expect(html).not.toMatch(/<img|href="javascript/);
    expect((await guest.get('Library/pages/terms')).status).toBe(400);
  });
});
