import { passwordChangedLetter, passwordGuessingLetter, resetPasswordLetter } from './account.letter.js';

const link = 'https://library.example.org/#/reset-password?email=a%40b.example&token=abc';
const hostile = ['<img src=x onerror=alert(1)>', 'evil.example', 'http://evil.example', 'a\nb'];

describe('the letters about passwords', () => {
  it('have their link in both forms, as one button', () => {
    const { html, text } = resetPasswordLetter({ firstname: 'Łucja', link, library: 'Lectern' });
    expect(text).toContain(link);
    expect(text).toContain('Dear Łucja,');
    expect(text).toContain('within an hour');
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
  });

  it('say when a password was changed, and what to do', () => {
    const { html, text, subject } = passwordChangedLetter({
      firstname: 'Łucja',
      changedAt: new Date('2026-11-20T23:20:59Z'),
      timeZone: 'Europe/Warsaw',
      link: 'https://library.example.org/#/forgot-password',
      library: 'Lectern',
    });
    expect(subject).toBe('Your password was changed');
    for (const form of [html, text]) expect(form).toContain('on 2026-11-21 at 00:20 (Europe/Warsaw)');
    expect(text).toContain('Secure your mailbox first');
    expect(text).toContain('You were signed out everywhere and');
    const own = {
      firstname: 'Łucja',
      changedAt: new Date(0),
      timeZone: 'UTC',
      elsewhere: true,
      link,
      library: 'Lectern',
    };
    expect(passwordChangedLetter(own).text).toContain('You were signed out everywhere else and');
  });

  it('say that somebody guesses, and what to do', () => {
    const { html, text } = passwordGuessingLetter({
      firstname: 'Łucja',
      at: new Date('2026-11-20T23:20:59Z'),
      timeZone: 'Europe/Warsaw',
      secret: 'password',
      link: 'https://library.example.org/#/forgot-password',
      library: 'Lectern',
    });
    for (const form of [html, text]) expect(form).toContain('On 2026-11-21 at 00:20 (Europe/Warsaw)');
    expect(text).toContain('many wrong passwords');
    expect(text).toContain('None was right.');
    const codes = passwordGuessingLetter({
      firstname: 'Łucja',
      at: new Date(0),
      timeZone: 'UTC',
      secret: 'code',
      link,
      library: 'Lectern',
    }).text;
    expect(codes).toContain('many wrong codes');
    expect(codes).toContain('choose a new one at once');
    expect(codes).not.toContain('only if yours is short');
  });

  it.each(hostile)('do not carry the words %j of whoever chose the name', (firstname) => {
    const letters = [
      resetPasswordLetter({ firstname, link, library: 'Lectern' }),
      passwordChangedLetter({ firstname, changedAt: new Date(0), timeZone: 'UTC', link, library: 'Lectern' }),
      passwordGuessingLetter({
        firstname,
        at: new Date(0),
        timeZone: 'UTC',
        secret: 'password',
        link,
        library: 'Lectern',
      }),
    ];
    for (const { html, text } of letters) {
      expect(text).toContain('Dear reader,');
      expect(html + text).not.toContain(firstname);
    }
  });
});
