import { Agent, get } from 'node:http';

/** Asks over connections that stay open, with as little work of its own as can be. */
export class HttpLoad {
  private readonly agent: Agent;

  /** @param connections one for each user */
  constructor(
    private readonly origin: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws when the answer is not 200 */
  get(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const request = get(this.origin + path, { agent: this.agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks);
          if (response.statusCode === 200) resolve(body);
          else reject(new Error(`${path} was answered ${response.statusCode}: ${body.toString()}`));
        });
        response.on('error', reject);
      });
      request.on('error', reject);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
