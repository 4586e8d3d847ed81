import {
  isLoopbackAddress,
  isDemoAidOn,
  disabledForPublic,
  sharesOneAddress,
  publicExposure,
} from './exposure.js';
import { readSettings } from './settings.js';

describe('whether strangers may reach an installation', () => {
  it.each([
    [{}],
    [{ HOST: 'localhost' }],
    [{ HOST: '127.8.8.8' }],
    [{ HOST: '::1' }],
    [{ HOST: '[::1]' }],
    [{ PUBLIC_URL: 'http://localhost:8080' }],
    [{ PUBLIC_URL: 'http://library.localhost' }],
    [{ NODE_ENV: 'development' }],
  ])('%j: this machine alone', (environment) => {
    const settings = readSettings(environment);
    expect(publicExposure(settings)).toBeUndefined();
    expect(isDemoAidOn('DEMO', settings)).toBe(true);
    expect(isDemoAidOn('DEMO', { ...settings, DEMO: 'off' })).toBe(false);
    expect(disabledForPublic(settings, { isEmbedded: true })).toEqual([]);
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'NODE_ENV is production'],
    [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    [{ HOST: '::' }, 'HOST is ::'],
    [{ HOST: '192.168.1.4' }, 'HOST is 192.168.1.4'],
    [{ HOST: 'localhost.example.org' }, 'HOST is localhost.example.org'],
    [{ PUBLIC_URL: 'https://library.example.org' }, 'PUBLIC_URL is https://library.example.org'],
  ])('%j: they may, and what helps to try the product is off unless it is asked for', (environment, why) => {
    const settings = readSettings(environment);
    expect(publicExposure(settings)).toBe(why);
    for (const aid of ['DEMO', 'MAILBOX', 'SANDBOX_PAYMENTS', 'API_DOCS'] as const) {
      expect([aid, isDemoAidOn(aid, settings)]).toEqual([aid, false]);
      expect([aid, isDemoAidOn(aid, readSettings({ ...environment, [aid]: 'on' }))]).toEqual([aid, true]);
    }
  });

  it('names what is off with the setting that turns it on, and nothing that is not missed', () => {
    const off = (environment: NodeJS.ProcessEnv, isEmbedded = true) =>
      disabledForPublic(readSettings({ HOST: '0.0.0.0', ...environment }), { isEmbedded });
    expect(off({})).toEqual([
      'demo accounts (DEMO=on)',
      'the mailbox (MAILBOX=on)',
      'paying in the sandbox (SANDBOX_PAYMENTS=on)',
      'the description of the API (API_DOCS=on)',
    ]);
    const chosen = { DEMO: 'off', SMTP_URL: 'smtp://mail', STRIPE_SECRET_KEY: 'sk_x', API_DOCS: 'on' };
    expect(off(chosen)).toEqual([]);
    expect(off({ API_DOCS: 'off' }, false)).toEqual(['paying in the sandbox (SANDBOX_PAYMENTS=on)']);
  });
});

describe('whether everybody comes from one address', () => {
  it.each([
    [{ PUBLIC_URL: 'https://library.example.org' }, true],
    [{ PUBLIC_URL: 'https://library.example.org', TRUST_PROXY: '0' }, true],
    [{ PUBLIC_URL: 'https://library.example.org', TRUST_PROXY: '1' }, false],
    [{ PUBLIC_URL: 'https://library.example.org', TRUST_PROXY: 'loopback' }, false],
    [{ PUBLIC_URL: 'http://library.lan' }, false],
    [{}, false],
  ])('%j: %s', (environment, isOne) => {
    expect(sharesOneAddress(readSettings(environment))).toBe(isOne);
  });
});

describe('the address of a connection', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });

  it.each(['10.0.0.7', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1', 'localhost', '', undefined])(
    '%s is not',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});
