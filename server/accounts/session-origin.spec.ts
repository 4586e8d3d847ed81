import { deviceOf, networkOf } from './session-origin.js';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describe('where a session was begun', () => {
  it.each([
    [FIREFOX, 'Firefox on Windows'],
    [SAFARI, 'Safari on iOS'],
    ['\u0000 <script>', 'Unknown device'],
    ['', 'Unknown device'],
    [undefined, 'Unknown device'],
  ])('is told by the browser and the system: %s', (userAgent, device) => {
    expect(deviceOf(userAgent)).toBe(device);
  });

  it('is short, however long what the browser says of itself is', () => {
    expect(deviceOf(`${'x'.repeat(100_000)} Firefox/140.0`).length).toBeLessThanOrEqual(80);
    expect(deviceOf(`${'x'.repeat(300)}/1.0`).length).toBeLessThanOrEqual(80);
  });

  it.each([
    ['203.0.113.77', '203.0.113.x'],
    ['::ffff:203.0.113.77', '203.0.113.x'],
    ['2001:db8:12:34::5', '2001:db8:12:x'],
    ['2001:db8::5', '2001:db8:0:x'],
    ['fe80::1%eth0', 'fe80:0:0:x'],
    ['127.0.0.1', 'this machine'],
    ['::1', 'this machine'],
    ['nonsense', 'unknown network'],
    [undefined, 'unknown network'],
  ])('keeps the network of an address alone: %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
