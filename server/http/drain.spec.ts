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
import { Worker } from 'node:worker_threads';
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
    await drain.stopListening();
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
    await drain.stopListening();
    const settled = drain.settled(10_000);
    reserve.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
    const [answer] = (await once(reserve, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
    expect(await settled).toBe(0);
    drain.cut();
    reserve.destroy();
  });

  it('answers those whose connections the kernel accepted before it stopped listening', async () => {
    const opened = new SharedArrayBuffer(4);
    const callers = new Worker(THREE_CALLERS, { eval: true, workerData: { port: port(), opened } });
    const statuses = once(callers, 'message');
    await once(callers, 'online');
    drain.begin();
    // This thread stands still meanwhile: none of the connections can be taken.
    expect(Atomics.wait(new Int32Array(opened), 0, 0, 30_000)).not.toBe('timed-out');
    await drain.stopListening();
    expect((await statuses)[0]).toEqual(Array(3).fill('HTTP/1.1 200 OK'));
    expect(await drain.settled(10_000)).toBe(0);
    await callers.terminate();
  });

  it('does not wait for a connection on which nothing is ever asked', async () => {
    const reserve = connect(port(), '127.0.0.1');
    await once(reserve, 'connect');
    await ask();
    drain.begin();
    await drain.stopListening();
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
    await drain.stopListening();
    expect(await drain.settled(50)).toBe(1);
    drain.cut();
    expect(await early).toBe('ECONNRESET');
  });
});

/** Opens three connections, says so, asks on each, and tells the first line of each answer, or its error. */
const THREE_CALLERS = `
  const { connect } = require('node:net');
  const { once } = require('node:events');
  const { parentPort, workerData } = require('node:worker_threads');
  (async () => {
    const sockets = [1, 2, 3].map(() => connect(workerData.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map((socket) => {
      const answer = once(socket, 'data').then(([data]) => String(data).split('\\r\\n')[0], ({ code }) => code);
      socket.write('GET / HTTP/1.1\\r\\nhost: here\\r\\n\\r\\n');
      return answer;
    });
    const opened = new Int32Array(workerData.opened);
    Atomics.store(opened, 0, 1);
    Atomics.notify(opened, 0);
    parentPort.postMessage(await Promise.all(answers));
  })();
`;
