import {
  confirmEmailLetter,
  passwordChangedLetter,
  passwordGuessingLetter,
  resetPasswordLetter,
} from './account.letter.js';

const link = 'https://library.example.org/#/reset-password?email=a%40b.example&token=abc';
const to = { firstname: 'Łucja', link, library: 'Lectern' };
const at = new Date('2026-11-20T23:20:59Z');
const timeZone = 'Europe/Warsaw';

describe('a letter about an account', () => {
  it.each([
    ['confirms an address', confirmEmailLetter(to), 'Dear Łucja,'],
    ['sets a new password', resetPasswordLetter(to), 'within an hour'],
  ])('that %s has its link in both forms, as one button', (_, { html, text }, said) => {
    expect(text).toContain(link);
    expect(text).toContain('Dear Łucja,');
    expect(text).toContain(said);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
  });

  it('says when a password was changed, and what to do', () => {
    const { html, text, subject } = passwordChangedLetter({ ...to, changedAt: at, timeZone });
    expect(subject).toBe('Your password was changed');
    for (const form of [html, text]) expect(form).toContain('on 2026-11-21 at 00:20 (Europe/Warsaw)');
    expect(text).toContain('Secure your mailbox first');
    expect(text).toContain('You were signed out everywhere and');
    const own = passwordChangedLetter({ ...to, changedAt: at, timeZone, elsewhere: true });
    expect(own.text).toContain('You were signed out everywhere else and');
  });

  it('says that somebody guesses, and what to do', () => {
    const { html, text } = passwordGuessingLetter({ ...to, at, timeZone, secret: 'password' });
    for (const form of [html, text]) expect(form).toContain('On 2026-11-21 at 00:20 (Europe/Warsaw)');
    expect(text).toContain('many wrong passwords');
    expect(text).toContain('None was right.');
    const codes = passwordGuessingLetter({ ...to, at, timeZone, secret: 'code' }).text;
    expect(codes).toContain('many wrong codes');
    expect(codes).toContain('choose a new one at once');
    expect(codes).not.toContain('only if yours is short');
  });

  it.each(['<img src=x onerror=alert(1)>', 'evil.example', 'http://evil.example', 'a\nb'])(
    'does not carry the words %j of whoever chose the name to a stranger',
    (firstname) => {
      for (const { html, text } of [
        confirmEmailLetter({ ...to, firstname }),
        resetPasswordLetter({ ...to, firstname }),
        passwordChangedLetter({ ...to, firstname, changedAt: at, timeZone }),
        passwordGuessingLetter({ ...to, firstname, at, timeZone, secret: 'password' }),
      ]) {
        expect(html).toContain('Dear reader,');
        expect(text).toContain('Dear reader,');
        expect(html + text).not.toContain(firstname);
      }
    },
  );

  it('escapes what the installation is called', () => {
    const { html } = confirmEmailLetter({ ...to, library: 'Books & <More>' });
    expect(html).toContain('Books &amp; &lt;More&gt;');
    expect(html).not.toContain('<More>');
  });
});
