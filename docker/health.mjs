// Whether the process of this container answers: on the port of the site, or on that for operations.
import { get } from 'node:http';

const port = process.env.OPERATIONS_PORT || process.env.PORT || '3000';
const asked = get({ host: '127.0.0.1', port, path: '/healthz', timeout: 2_500 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
asked.once('error', () => process.exit(1));
asked.once('timeout', () => process.exit(1));
