import { createServer } from 'node:http';
import pg from 'pg';

/** Answers after a durable insert, and does nothing else. Sends its address. */
export async function runFloor(databaseUrl: string, connections: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  await pool.query(
    'create table row (id bigint generated always as identity primary key, body text not null)',
  );
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      pool
        .query({ name: 'insert', text: 'insert into row (body) values ($1) returning id', values: [body] })
        .then(({ rows }) =>
          response.setHeader('content-type', 'application/json').end(JSON.stringify(rows[0])),
        )
        .catch(() => response.writeHead(500).end());
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
  });
  process.once('disconnect', () => {
    server.close();
    server.closeAllConnections();
    void pool.end();
  });
}
