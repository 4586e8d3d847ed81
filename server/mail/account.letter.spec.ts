import { confirmEmailLetter } from './account.letter.js';

const link = 'https://library.example.org/#/confirm-email?token=abc&userId=1';

describe('the letter that confirms an address', () => {
  it('has its link in both forms, as one button', () => {
    const { html, text } = confirmEmailLetter({ firstname: 'Zofia', link, library: 'Lectern' });
    expect(text).toContain(link);
    expect(text).toContain('Dear Zofia,');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
  });

  it('lets nobody write words of their own to a stranger', () => {
    for (const firstname of ['<img src=x onerror=alert(1)>', 'evil.example', 'http://evil.example', 'a\nb']) {
      const { html, text } = confirmEmailLetter({ firstname, link, library: 'Lectern' });
      expect(html).toContain('Dear reader,');
      expect(html + text).not.toContain(firstname);
    }
  });

  it('escapes what the installation is called', () => {
    const { html } = confirmEmailLetter({ firstname: 'Zofia', link, library: 'Books & <More>' });
    expect(html).toContain('Books &amp; &lt;More&gt;');
    expect(html).not.toContain('<More>');
  });
});
