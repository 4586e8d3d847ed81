import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { openTestMailbox, type TestMailbox } from '../../test-support/mailbox.js';
import { MessageStore } from './message-store.js';

type Send = (message: { to: string; subject?: string; text?: string; html?: string }) => Promise<unknown>;

/** Runs the mailbox with its pages while the work runs. */
async function withMailbox(
  folder: string | undefined,
  work: (reach: TestMailbox & { send: Send }) => Promise<void>,
): Promise<void> {
  const mailbox = await openTestMailbox(folder);
  const transport = createTransport({ pool: true, url: mailbox.smtpUrl });
  try {
    await work({
      ...mailbox,
      send: (message) => transport.sendMail({ from: 'Lectern <library@localhost>', ...message }),
    });
  } finally {
    transport.close();
    await mailbox.stop();
  }
}

describe('the embedded mailbox', () => {
  it('answers messages as JSON, the newest first, by recipient', async () => {
    await withMailbox(undefined, async ({ messages, send }) => {
      expect(await messages()).toEqual([]);
      await send({ to: 'a@example.org', subject: 'First', text: 'See https://example.org/x?a=1&b=2 now' });
      await send({
        to: 'B@example.org',
        subject: 'Zażółć',
        text: 'text',
        html: '<p><a href="https://example.org/?a=1&amp;b=2">one</a> <a href=\'/two\'>two</a> <a href="/two">again</a></p>',
      });
      const all = await messages();
      expect(all.map(({ subject }) => subject)).toEqual(['Zażółć', 'First']);
      expect(await messages('b@EXAMPLE.org')).toEqual([
        {
          id: expect.any(String),
          to: 'B@example.org',
          from: expect.stringContaining('library@localhost'),
          subject: 'Zażółć',
          text: expect.stringContaining('text'),
          html: expect.stringContaining('<p>'),
          links: ['https://example.org/?a=1&b=2', '/two'],
          date: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]);
      expect(all[1]?.links).toEqual(['https://example.org/x?a=1&b=2']);
      expect(await messages('c@example.org')).toEqual([]);
    });
  });

  it('takes mail from the product alone', async () => {
    await withMailbox(undefined, async ({ messages, smtpUrl }) => {
      const url = new URL(smtpUrl);
      const own = { user: url.username, pass: url.password };
      for (const auth of [undefined, { ...own, pass: 'wrong' }, { ...own, user: 'root' }]) {
        const transport = createTransport({
          host: url.hostname,
          port: Number(url.port),
          ...(auth && { auth }),
        });
        const letter = { from: 'a@example.org', to: 'b@example.org', text: 'forged' };
        await expect(transport.sendMail(letter)).rejects.toThrow(/^(Invalid login: 535|.*530)/s);
      }
      expect(await messages()).toEqual([]);
    });
  });

  it('refuses what is too large, and goes on', async () => {
    await withMailbox(undefined, async ({ messages, send }) => {
      await expect(send({ to: 'a@example.org', text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toThrow();
      await send({ to: 'a@example.org', subject: 'Small', text: 'x' });
      expect(await messages()).toMatchObject([{ subject: 'Small' }]);
    });
  });

  it('shows a page whose policy allows no script but its own', async () => {
    await withMailbox(undefined, async ({ get, send, port, token }) => {
      const opened = await fetch(`http://127.0.0.1:${port}/dev/mail?token=${token}`, { redirect: 'manual' });
      const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
      const page = await fetch(`http://127.0.0.1:${port}/dev/mail`, { headers: { cookie } });
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      const html = await page.text();
      expect(html).not.toMatch(/<script(?! src)|<style|style=|onload=/);
      for (const [, asset] of html.matchAll(/(?:src|href)="(\/dev\/mail\/[\w.]+)"/g)) {
        expect([asset, (await get(String(asset))).status]).toEqual([asset, 200]);
      }
      const script = await (await get('/dev/mail/mailbox.js')).text();
      // oxlint-disable-next-line typescript/no-implied-eval
      expect(() => new Function(script)).not.toThrow();

      await send({ to: 'a@example.org', html: '<html><head></head><body><script>1</script></body></html>' });
      const { all } = (await (await get('/dev/mail/list')).json()) as { all: string[] };
      const [id] = all;
      const letter = await get(`/dev/mail/messages/${id}/html`);
      expect(letter.headers.get('content-security-policy')).toMatch(
        /^sandbox allow-popups [\w-]+; default-src 'none'/,
      );
      expect(letter.headers.get('content-security-policy')).not.toContain('script');
      expect(await letter.text()).toContain('<base target="_blank">');
      expect((await get('/dev/mail/messages/nothing/html')).status).toBe(404);
    });
  });

  it('finds messages by words of their address, subject and text, whatever their accents', async () => {
    await withMailbox(undefined, async ({ get, send }) => {
      await send({
        to: 'zofia@example.org',
        subject: 'Zażółć',
        text: 'Zażółć\n\nThe Łódź edition\n of Solaris',
      });
      await send({ to: 'anna@example.org', subject: 'Another', text: 'nothing' });
      const find = async (q: string) => {
        const { found } = (await (await get(`/dev/mail/list?q=${encodeURIComponent(q)}`)).json()) as {
          found: { subject: string; excerpt: string }[];
        };
        return found;
      };
      for (const words of ['zazolc', 'LODZ edition', 'solaris zofia@']) {
        expect((await find(words)).map(({ subject }) => subject)).toEqual(['Zażółć']);
      }
      expect((await find('solaris'))[0]?.excerpt).toBe('The Łódź edition of Solaris');
      expect(await find('solaris anna')).toEqual([]);
      expect(await find('')).toHaveLength(2);
    });
  });

  it('is closed to who does not have the token of this start, to every page and call', async () => {
    await withMailbox(undefined, async ({ port, token, send }) => {
      await send({ to: 'a@example.org', subject: 'Secret', text: 'x' });
      const paths = [
        '',
        '/mailbox.js',
        '/list',
        '/messages?to=a@example.org',
        '/messages/some-id',
        '/nothing',
      ];
      for (const path of paths) {
        for (const given of [
          '',
          'token=',
          `token=${token}x`,
          'token[]=a',
          `token=${'x'.repeat(token.length)}`,
        ]) {
          const address = `http://127.0.0.1:${port}/dev/mail${path}${path.includes('?') ? '&' : '?'}${given}`;
          const answer = await fetch(address, { headers: { cookie: `lectern-mailbox=${given}` } });
          expect([address, answer.status]).toEqual([address, 401]);
          expect(await answer.text()).not.toContain('Secret');
        }
      }
      await withMailbox(undefined, async (other) => {
        expect(other.token).not.toBe(token);
        expect((await fetch(`http://127.0.0.1:${other.port}/dev/mail/list?token=${token}`)).status).toBe(401);
      });
    });
  });

  it('opens to a browser once by the token, which then stands in no address', async () => {
    await withMailbox(undefined, async ({ port, token, send }) => {
      await send({ to: 'a@example.org', subject: 'News', text: 'x' });
      const origin = `http://127.0.0.1:${port}`;
      const opened = await fetch(`${origin}/dev/mail?q=a&token=${token}`, { redirect: 'manual' });
      expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dev/mail?q=a']);
      expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
      expect(opened.headers.get('cache-control')).toBe('no-store');
      const [cookie = '', ...attributes] = (opened.headers.get('set-cookie') ?? '').split('; ');
      expect(attributes).toEqual(['Path=/dev/mail', 'HttpOnly', 'SameSite=Strict']);
      const list = await fetch(`${origin}/dev/mail/list`, { headers: { cookie } });
      expect(await list.json()).toMatchObject({ found: [{ subject: 'News' }] });
    });
  });

  it('opens to its own machine alone, token or not, unless it was asked for by name', async () => {
    const asked = async (mailbox: TestMailbox, headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${mailbox.port}/dev/mail/list?token=${mailbox.token}`, { headers }))
        .status;
    await withMailbox(undefined, async (mailbox) => {
      expect(await asked(mailbox, {})).toBe(200);
      for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
        expect([header, await asked(mailbox, { [header]: '127.0.0.1' })]).toEqual([header, 403]);
    });
    const named = await openTestMailbox(undefined, { fromElsewhere: true });
    expect(await asked(named, { 'x-forwarded-for': '192.0.2.1' })).toBe(200);
    await named.stop();
  });

  it('has a cookie that no neighbour of the domain can set where people come by https', async () => {
    const settings = { PUBLIC_URL: 'https://library.example.org' };
    const mailbox = await openTestMailbox(undefined, { settings });
    const opened = await fetch(`http://127.0.0.1:${mailbox.port}/dev/mail?token=${mailbox.token}`, {
      redirect: 'manual',
    });
    expect(opened.headers.get('set-cookie')).toMatch(
      /^__Host-lectern-mailbox=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await mailbox.stop();
  });

  it('keeps its messages over a restart, and only the last 500', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lectern-mailbox-'));
    try {
      const earlier = await MessageStore.open(folder);
      for (let n = 1; n <= 502; n += 1) {
        const raw = Buffer.from(`Subject: No. ${n}\r\n\r\nx\r\n`);
        await earlier.add({ id: randomUUID(), recipients: ['a@example.org'], date: new Date(), raw });
      }
      const ids = earlier.ids();
      expect([ids.length, (await readdir(folder)).length]).toEqual([500, 500]);
      await withMailbox(folder, async ({ messages, send }) => {
        await send({ to: 'a@example.org', subject: 'No. 503', text: 'x' });
        const [last, ...others] = await messages();
        expect([last?.subject, others[0]?.subject, others.at(-1)?.subject]).toEqual([
          'No. 503',
          'No. 502',
          'No. 4',
        ]);
        expect(others.map(({ id }) => id)).toEqual(ids.slice(0, -1));
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
