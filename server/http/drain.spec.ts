import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Drain } from './drain.js';

interface Answered {
  status: number | undefined;
  connection: string | undefined;
}

describe('a server that closes', () => {
  let server: Server;
  let drain: Drain;
  let agent: Agent;
  /** Requests that wait for the test to answer them. */
  let held: ServerResponse[];

  beforeEach(async () => {
    held = [];
    agent = new Agent({ keepAlive: true });
    server = createServer((asked, response) => {
      if (asked.url === '/held') held.push(response);
      else response.end('answer');
    });
    drain = new Drain(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  const port = () => (server.address() as AddressInfo).port;
  const ask = (path = '/', on = port()) =>
    new Promise<Answered>((resolve, reject) => {
      const asked = request({ port: on, host: '127.0.0.1', path, agent }, (answer: IncomingMessage) => {
        answer
          .resume()
          .once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
      });
      asked.once('error', reject).end();
    });

  it('says goodbye with each answer, also of what was asked before, and goes on answering', async () => {
    expect(await ask()).toEqual({ status: 200, connection: 'keep-alive' });
    const early = ask('/held');
    while (held.length === 0) await sleep(1);
    drain.begin();
    expect(await ask()).toEqual({ status: 200, connection: 'close' });
    held.shift()?.end('late');
    expect(await early).toEqual({ status: 200, connection: 'close' });
  });

  it('lets what is under way end, and takes nobody new meanwhile', async () => {
    const [on, early] = [port(), ask('/held')];
    while (held.length === 0) await sleep(1);
    drain.begin();
    drain.stopListening();
    const settled = drain.settled(10_000);
    await expect(ask('/', on)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await sleep(150);
    held.shift()?.end('late');
    expect((await early).status).toBe(200);
    expect(await settled).toBe(0);
    drain.cut();
  });

  it('answers a request that comes on a connection that was opened in reserve', async () => {
    const reserve = connect(port(), '127.0.0.1');
    await once(reserve, 'connect');
    await ask();
    drain.begin();
    drain.stopListening();
    const settled = drain.settled(10_000);
    reserve.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    const [answer] = (await once(reserve, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
    expect(await settled).toBe(0);
    drain.cut();
    reserve.destroy();
  });

  it('does not wait for a connection on which nothing is ever asked', async () => {
    const reserve = connect(port(), '127.0.0.1');
    await once(reserve, 'connect');
    await ask();
    drain.begin();
    drain.stopListening();
    const closed = once(reserve, 'close');
    expect(await drain.settled(60_000)).toBe(0);
    drain.cut();
    reserve.resume();
    await closed;
  });

  it('cuts off what takes too long, and counts it', async () => {
    const early = ask('/held').catch((error: NodeJS.ErrnoException) => error.code);
    while (held.length === 0) await sleep(1);
    drain.begin();
    drain.stopListening();
    expect(await drain.settled(50)).toBe(1);
    drain.cut();
    expect(await early).toBe('ECONNRESET');
  });
});
