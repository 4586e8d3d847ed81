import { element, elements, type Xml } from '../../marc/xml.js';
import { CONTEXT_SETS, INDEXES } from './cql-indexes.js';

export const EXPLAIN = 'http://explain.z3950.org/dtd/2.0/';

/**
 * What is told of the service, so that programs set themselves up by it.
 * @param schemas the forms of a record with their names, the usual one first
 * @param records that are answered where nobody says how many, and at most
 */
export function explainRecord(
  library: { name: string; site: string },
  version: string,
  schemas: ReadonlyMap<string, { identifier: string }>,
  records: { usually: number; atMost: number },
): Xml {
  const { protocol, hostname, port, pathname } = new URL(`${library.site}/sru`);
  const transport = protocol.replace(':', '');
  return element(
    'explain',
    { xmlns: EXPLAIN },
    element(
      'serverInfo',
      { protocol: 'SRU', version, transport, method: 'GET POST' },
      elements({
        host: hostname,
        port: port || (transport === 'https' ? '443' : '80'),
        database: pathname.slice(1),
      }),
    ),
    element(
      'databaseInfo',
      {},
      elements({
        title: library.name,
        description: `The catalogue of books. Harvesters get it by OAI-PMH at ${library.site}/oai.`,
      }),
    ),
    element(
      'indexInfo',
      {},
      Object.entries(CONTEXT_SETS).map(([name, [identifier]]) => element('set', { name, identifier })),
      Object.entries(INDEXES).map(([title, index]) =>
        element(
          'index',
          { search: 'true', scan: 'false', sort: String('order' in index) },
          elements({ title }),
          index.names.map((name) => {
            const [set, base] = name.split('.');
            return element('map', {}, element('name', { set }, base));
          }),
        ),
      ),
    ),
    element(
      'schemaInfo',
      {},
      [...schemas].map(([name, { identifier }]) =>
        element('schema', { name, identifier, sort: 'false', retrieve: 'true' }, elements({ title: name })),
      ),
    ),
    element(
      'configInfo',
      {},
      element('default', { type: 'numberOfRecords' }, records.usually),
      element('setting', { type: 'maximumRecords' }, records.atMost),
    ),
  );
}
