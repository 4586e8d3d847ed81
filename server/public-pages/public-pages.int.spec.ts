import { bookAddress } from '#contracts/catalogue/book-address.js';
import { startProduct } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';

const SITE = 'https://library.example.org';

describe('the pages of books for everybody', () => {
  const product = shared(() => startProduct(undefined, { environment: { PUBLIC_URL: SITE } }));
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${product.url}${path}`, { headers, redirect: 'manual' });
  const made = async (title: string) => {
    const id = await product.book(2, title);
    return { id, address: bookAddress({ id, title }) };
  };

  it('can be read and are found: what the book is, where it is, and how many copies are there', async () => {
    const { address } = await made('Pan "Tadeusz" </script><b>');
    const answer = await ask(address);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('<h1>Pan &#34;Tadeusz&#34; &#60;/script&#62;&#60;b&#62;</h1>');
    expect(text).toMatch(/<title>Pan &#34;Tadeusz&#34;[^<]* · Lectern<\/title>/);
    expect(text).toContain('2 of 2 copies are on the shelf');
    expect(text).not.toContain('noscript');
    expect(text).toContain(`<link rel="canonical" href="${SITE}${address}">`);
    expect(text).toContain(`<meta property="og:url" content="${SITE}${address}">`);
    expect(text).toContain(`<link rel="alternate" hreflang="pl" href="${address}?lang=pl">`);
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'Book',
      name: 'Pan "Tadeusz" </script><b>',
      url: `${SITE}${address}`,
      offers: { availability: 'https://schema.org/InStock', offeredBy: { '@type': 'Library' } },
    });
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await (await ask(`${address}?lang=pl`)).text()).toContain('Egzemplarze na półce: 2 z 2');
  });

  it('have one address, to which every other leads', async () => {
    const { id, address } = await made('Преступление и наказание');
    for (const other of [`/book/${id}`, `/book/${id}-solaris`]) {
      const answer = await ask(`${other}?lang=pl`);
      expect([answer.status, answer.headers.get('location')]).toEqual([301, `${encodeURI(address)}?lang=pl`]);
    }
    expect((await ask(encodeURI(address))).status).toBe(200);
  });

  it('are the site’s own page, which says that there is none, where there is no such book', async () => {
    for (const path of ['/book/2000000000', '/book/99999999999999-x', '/book/0']) {
      const answer = await ask(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.text()).toContain('loading-screen');
    }
    expect((await ask('/book/%')).status).toBeLessThan(500);
  });

  it('are listed for search engines', async () => {
    const { address } = await made('Lalka');
    const robots = await (await ask('/robots.txt')).text();
    expect(robots).toContain(`Sitemap: ${SITE}/sitemap.xml`);
    const index = await (await ask('/sitemap.xml')).text();
    const [, first = ''] = /<loc>https:\/\/library\.example\.org(.*?)<\/loc>/.exec(index) ?? [];
    const part = await ask(first);
    expect(part.headers.get('content-type')).toContain('xml');
    expect(await part.text()).toContain(`<url><loc>${SITE}${address}</loc></url>`);
    expect((await ask('/sitemap-9999.xml')).status).toBe(404);
  });
});
