import { publicUrl } from './public-url.js';

describe('the public address', () => {
  it.each([
    [
      { PUBLIC_URL: 'https://library.example.org/', HOST: '127.0.0.1', PORT: 3000 },
      'https://library.example.org',
    ],
    [{ HOST: '127.0.0.1', PORT: 3000 }, 'http://127.0.0.1:3000'],
    [{ HOST: '0.0.0.0', PORT: 8080 }, 'http://localhost:8080'],
    [{ HOST: '::1', PORT: 3000 }, 'http://[::1]:3000'],
  ])('of %j is %s', (settings, url) => {
    expect(publicUrl(settings)).toBe(url);
  });
});
