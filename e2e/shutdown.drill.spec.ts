import { createServer, connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';

const SETTINGS = { LOG_LEVEL: 'warn' };

describe('the end of the product', () => {
  let installation: CrashInstallation;

  afterEach(() => installation.remove());

  it.each([
    ['SIGTERM', 'create'],
    ['SIGINT', 'createOpened'],
  ] as const)('closes everything at %s and opens again on the same data', async (signal, create) => {
    installation = await CrashInstallation[create](SETTINGS);
    await installation.start();
    await openHttpAndSocket(installation);
    expect(await installation.stop(signal)).toMatchObject({ code: 0, signal: null });
    expect(installation.processes()).toEqual([]);
    expect(await listens(installation.port)).toBe(false);

    await installation.start();
    expect((await installation.stop(signal)).code).toBe(0);
    expect(installation.processes()).toEqual([]);
  });

  it('leaves no process when it is asked to end while it opens', async () => {
    installation = await CrashInstallation.create(SETTINGS);
    for (const moment of [300, 900, 1500, 2500]) {
      installation.launch();
      await sleep(moment);
      const { code, signal } = await installation.stop();
      // At the very first moments nothing listens to signals yet, and nothing was started.
      expect(code === 0 || (code === null && signal === 'SIGTERM')).toBe(true);
      expect(installation.processes()).toEqual([]);
    }
  });

  it('ends by itself when its PostgreSQL is killed, and opens again without help', async () => {
    installation = await CrashInstallation.createOpened(SETTINGS);
    await installation.start();
    installation.killPostgres();
    const { code, output } = await installation.end();
    expect(code).toBe(1);
    expect(output).toContain('PostgreSQL ended by itself');
    expect(installation.processes()).toEqual([]);
    await installation.start();
    expect((await installation.stop()).code).toBe(0);
  });

  it('refuses a second start on its data folder and is unharmed by it', async () => {
    installation = await CrashInstallation.createOpened(SETTINGS);
    await installation.start();
    const second = await CrashInstallation.create({ ...SETTINGS, DATA_DIR: installation.dataDir });
    try {
      const { code, output } = await second.launch().ended;
      expect(code).toBe(1);
      expect(output).toContain('Lectern already runs on this data folder');
    } finally {
      await second.remove();
    }
    const books = await fetch(`${installation.url}/api/Book`);
    expect(books.status).toBe(200);
    expect((await installation.stop()).code).toBe(0);
  });

  it('refuses a second start while the first is still opening', async () => {
    installation = await CrashInstallation.create(SETTINGS);
    const first = installation.launch();
    await sleep(1_500);
    const second = await CrashInstallation.create({ ...SETTINGS, DATA_DIR: installation.dataDir });
    try {
      const { code, output } = await second.launch().ended;
      expect(code).toBe(1);
      expect(output).toMatch(/in another process|already runs/);
    } finally {
      await second.remove();
    }
    await first.open;
    expect((await fetch(`${installation.url}/api/Book`)).status).toBe(200);
    expect((await installation.stop()).code).toBe(0);
  });

  it('says that its port is taken, and leaves nothing running', async () => {
    installation = await CrashInstallation.createOpened(SETTINGS);
    const occupant = createServer().listen(installation.port, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      const { code, output } = await installation.launch().ended;
      expect(code).toBe(1);
      expect(output).toContain(`Port ${installation.port} on 127.0.0.1 is taken. Set PORT to another one.`);
      expect(installation.processes()).toEqual([]);
    } finally {
      occupant.close();
    }
  });

  it('names the setting that cannot be read, and starts nothing', async () => {
    installation = await CrashInstallation.create(SETTINGS);
    const { code, output } = await installation.launch({ PORT: 'abc' }).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/These settings do not hold:\n +PORT: /);
    expect(output).not.toContain('    at ');
    expect(installation.processes()).toEqual([]);
  });
});

/** Connections that are kept open, as browsers do. */
async function openHttpAndSocket({ url, port }: CrashInstallation): Promise<void> {
  expect((await fetch(`${url}/api/Book`)).status).toBe(200);
  const idle = connect(port, '127.0.0.1');
  idle.on('error', () => undefined);
  await once(idle, 'connect');
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
