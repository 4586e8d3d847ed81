import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { banner } from './banner.js';

describe('what the person at the terminal is told', () => {
  const told = (environment: NodeJS.ProcessEnv) =>
    banner({
      url: 'http://127.0.0.1:3000',
      settings: readSettings(environment) as ResolvedSettings,
      demo: undefined,
      mailboxToken: undefined,
      setUpCode: undefined,
    });

  it('says that everybody shares one address behind a proxy that is not trusted', () => {
    const PUBLIC_URL = 'https://library.example.org';
    const notice = 'everybody comes from the address of the proxy';
    expect(told({ PUBLIC_URL })).toContain(notice);
    expect(told({ PUBLIC_URL, TRUST_PROXY: '1' })).not.toContain(notice);
    expect(told({})).not.toContain(notice);
  });
});
