import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createTransport } from 'nodemailer';
import { openTestMailbox, type TestMailbox } from '../../test-support/mail/mailbox.js';
import { shared, sharedFolder } from '../../test-support/shared.js';
import { MessageStore } from './message-store.js';

type Letter = { to: string; subject?: string; text?: string; html?: string };

/** The mailbox with its pages, and what is sent to it. */
async function withSender(folder?: string) {
  const mailbox = await openTestMailbox(folder);
  const transport = createTransport({ pool: true, url: mailbox.smtpUrl });
  const send = (letter: Letter) => transport.sendMail({ from: 'Lectern <library@localhost>', ...letter });
  const stop = async () => {
    transport.close();
    await mailbox.stop();
  };
  return { ...mailbox, send, stop };
}

describe('the embedded mailbox', () => {
  const mailbox = shared(() => withSender());
  const list = async (q = '') => {
    const answer = await mailbox.get(`/dev/mail/list?q=${encodeURIComponent(q)}`);
    return (await answer.json()) as { all: string[]; found: { subject: string; excerpt: string }[] };
  };

  it('answers messages as JSON, the newest first, by recipient', async () => {
    expect(await mailbox.messages()).toEqual([]);
    await mailbox.send({
      to: 'a@example.org',
      subject: 'First',
      text: 'See https://example.org/x?a=1&b=2 now',
    });
    await mailbox.send({
      to: 'B@example.org',
      subject: 'Zażółć',
      text: 'text',
      html: '<p><a href="https://example.org/?a=1&amp;b=2">one</a> <a href=\'/two\'>two</a> <a href="/two">again</a></p>',
    });
    const all = await mailbox.messages();
    expect(all.map(({ subject }) => subject)).toEqual(['Zażółć', 'First']);
    expect(await mailbox.messages('b@EXAMPLE.org')).toEqual([
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
    expect(await mailbox.messages('c@example.org')).toEqual([]);
  });

  it('takes mail from the product alone', async () => {
    const url = new URL(mailbox.smtpUrl);
    const own = { user: url.username, pass: url.password };
    for (const auth of [undefined, { ...own, pass: 'wrong' }, { ...own, user: 'root' }]) {
      const transport = createTransport({
        host: url.hostname,
        port: Number(url.port),
        ...(auth && { auth }),
      });
      const letter = { from: 'a@example.org', to: 'forged@example.org', text: 'forged' };
      await expect(transport.sendMail(letter)).rejects.toThrow(/^(Invalid login: 535|.*530)/s);
    }
    expect(await mailbox.messages('forged@example.org')).toEqual([]);
  });

  it('refuses what is too large, and goes on', async () => {
    const to = 'large@example.org';
    await expect(mailbox.send({ to, text: 'x'.repeat(2 * 1024 * 1024) })).rejects.toThrow();
    await mailbox.send({ to, subject: 'Small', text: 'x' });
    expect(await mailbox.messages(to)).toMatchObject([{ subject: 'Small' }]);
  });

  it('shows a page whose policy allows no script but its own', async () => {
    const opened = await fetch(`http://127.0.0.1:${mailbox.port}/dev/mail?token=${mailbox.token}`, {
      redirect: 'manual',
    });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = await fetch(`http://127.0.0.1:${mailbox.port}/dev/mail`, { headers: { cookie } });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?! src)|<style|style=|onload=/);
    for (const [, asset] of html.matchAll(/(?:src|href)="(\/dev\/mail\/[\w.]+)"/g)) {
      expect([asset, (await mailbox.get(String(asset))).status]).toEqual([asset, 200]);
    }
    const script = await (await mailbox.get('/dev/mail/mailbox.js')).text();
    // oxlint-disable-next-line typescript/no-implied-eval
    expect(() => new Function(script)).not.toThrow();

    await mailbox.send({
      to: 'a@example.org',
      html: '<html><head></head><body><script>1</script></body></html>',
    });
    const [id] = (await list()).all;
    const letter = await mailbox.get(`/dev/mail/messages/${id}/html`);
    expect(letter.headers.get('content-security-policy')).toMatch(
      /^sandbox allow-popups [\w-]+; default-src 'none'/,
    );
    expect(letter.headers.get('content-security-policy')).not.toContain('script');
    expect(await letter.text()).toContain('<base target="_blank">');
    expect((await mailbox.get('/dev/mail/messages/nothing/html')).status).toBe(404);
  });

  it('finds messages by words of their address, subject and text, whatever their accents', async () => {
    const text = 'Źdźbło\n\nThe Łódź edition\n of Solaris';
    await mailbox.send({ to: 'zofia@example.org', subject: 'Źdźbło', text });
    await mailbox.send({ to: 'anna@example.org', subject: 'Another', text: 'nothing' });
    for (const words of ['zdzblo', 'LODZ edition', 'solaris zofia@']) {
      expect((await list(words)).found.map(({ subject }) => subject)).toEqual(['Źdźbło']);
    }
    expect((await list('solaris')).found[0]?.excerpt).toBe('The Łódź edition of Solaris');
    expect((await list('solaris anna')).found).toEqual([]);
    expect((await list()).found.length).toBeGreaterThan(2);
  });

  it('is closed to who does not have the token of this start, to every page and call', async () => {
    await mailbox.send({ to: 'a@example.org', subject: 'Secret', text: 'x' });
    const paths = ['', '/mailbox.js', '/list', '/messages?to=a@example.org', '/messages/some-id', '/nothing'];
    for (const path of paths) {
      for (const given of [
        '',
        'token=',
        `token=${mailbox.token}x`,
        'token[]=a',
        `token=${'x'.repeat(mailbox.token.length)}`,
      ]) {
        const address = `http://127.0.0.1:${mailbox.port}/dev/mail${path}${path.includes('?') ? '&' : '?'}${given}`;
        const answer = await fetch(address, { headers: { cookie: `lectern-mailbox=${given}` } });
        expect([address, answer.status]).toEqual([address, 401]);
        expect(await answer.text()).not.toContain('Secret');
      }
    }
    const other = await openTestMailbox();
    const address = `http://127.0.0.1:${other.port}/dev/mail/list?token=${mailbox.token}`;
    expect([other.token === mailbox.token, (await fetch(address)).status]).toEqual([false, 401]);
    await other.stop();
  });

  it('opens to a browser once by the token, which then stands in no address', async () => {
    await mailbox.send({ to: 'a@example.org', subject: 'News', text: 'x' });
    const origin = `http://127.0.0.1:${mailbox.port}`;
    const opened = await fetch(`${origin}/dev/mail?q=a&token=${mailbox.token}`, { redirect: 'manual' });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dev/mail?q=a']);
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const [cookie = '', ...attributes] = (opened.headers.get('set-cookie') ?? '').split('; ');
    expect(attributes).toEqual(['Path=/dev/mail', 'HttpOnly', 'SameSite=Strict']);
    const opening = await fetch(`${origin}/dev/mail/list`, { headers: { cookie } });
    expect(((await opening.json()) as { found: object[] }).found[0]).toMatchObject({ subject: 'News' });
  });

  it('opens to its own machine alone, token or not, unless it was asked for by name', async () => {
    const asked = async (of: TestMailbox, headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${of.port}/dev/mail/list?token=${of.token}`, { headers })).status;
    expect(await asked(mailbox, {})).toBe(200);
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip'])
      expect([header, await asked(mailbox, { [header]: '127.0.0.1' })]).toEqual([header, 403]);
    const named = await openTestMailbox(undefined, { fromElsewhere: true });
    expect(await asked(named, { 'x-forwarded-for': '192.0.2.1' })).toBe(200);
    await named.stop();
  });

  it('has a cookie that no neighbour of the domain can set where people come by https', async () => {
    const settings = { PUBLIC_URL: 'https://library.example.org' };
    const secured = await openTestMailbox(undefined, { settings });
    const address = `http://127.0.0.1:${secured.port}/dev/mail?token=${secured.token}`;
    const opened = await fetch(address, { redirect: 'manual' });
    expect(opened.headers.get('set-cookie')).toMatch(
      /^__Host-lectern-mailbox=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    await secured.stop();
  });

  const folder = sharedFolder();

  it('keeps its messages over a restart, and only the last 500', async () => {
    const earlier = await MessageStore.open(folder);
    for (let n = 1; n <= 502; n += 1) {
      const raw = Buffer.from(`Subject: No. ${n}\r\n\r\nx\r\n`);
      await earlier.add({ id: randomUUID(), recipients: ['a@example.org'], date: new Date(), raw });
    }
    const ids = earlier.ids();
    expect([ids.length, readdirSync(folder).length]).toEqual([500, 500]);
    const { send, messages, stop } = await withSender(folder);
    await send({ to: 'a@example.org', subject: 'No. 503', text: 'x' });
    const [last, ...others] = await messages();
    const subjects = [last, others[0], others.at(-1)].map((message) => message?.subject);
    expect(subjects).toEqual(['No. 503', 'No. 502', 'No. 4']);
    expect(others.map(({ id }) => id)).toEqual(ids.slice(0, -1));
    await stop();
  });
});
