import { Agent, request } from 'node:http';

/** Makes a call and answers with the JSON body. */
export type Call = (path: string, token: string, body: unknown) => Promise<unknown>;

/**
 * POSTs JSON over connections that are kept open, one for each call under way.
 * @param further headers of each call
 * @throws when the answer is not 200, with its body
 */
export function httpCaller(
  url: string,
  connections: number,
  further: () => Record<string, string> = () => ({}),
): { call: Call; close: () => void } {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const call: Call = (path, token, body) =>
    new Promise((resolve, reject) => {
      const payload = JSON.stringify(body);
      const outgoing = request(
        {
          agent,
          hostname,
          port,
          path,
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
            ...further(),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            if (response.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Error(`${path} was answered ${response.statusCode}: ${text}`));
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  return { call, close: () => agent.destroy() };
}
