import { markup, type Markup } from '#platform/markup.js';
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
): Markup {
  const { protocol, hostname, port, pathname } = new URL(`${library.site}/sru`);
  const transport = protocol.replace(':', '');
  // How requests are sent, and how searches look, are told in one version each.
  const isTwo = version === '2.0';
  return markup`<explain xmlns="${EXPLAIN}">
<serverInfo protocol="SRU" version="${version}" transport="${transport}"${!isTwo && markup` method="GET POST"`}>
<host>${hostname}</host>
<port>${port || (transport === 'https' ? '443' : '80')}</port>
<database>${pathname.slice(1)}</database>
</serverInfo>
<databaseInfo>
<title>${library.name}</title>
<description>The catalogue of books. Harvesters get it by OAI-PMH at ${library.site}/oai.</description>
</databaseInfo>
<indexInfo>
${Object.entries(CONTEXT_SETS).map(([name, [uri]]) => markup`<set name="${name}" identifier="${uri}"/>\n`)}
${Object.entries(INDEXES).map(
  ([title, index]) => markup`<index search="true" scan="false" sort="${String(index.order !== undefined)}">
<title>${title}</title>
${index.names
  .map((name) => name.split('.'))
  .map(([set, base]) => markup`<map><name set="${set}">${base}</name></map>\n`)}</index>`,
)}
</indexInfo>
${isTwo && markup`<searchInfo><queryExample>dc.title = fish sortBy dc.date</queryExample></searchInfo>`}
<schemaInfo>
${[...schemas].map(
  ([name, { identifier }]) =>
    markup`<schema name="${name}" identifier="${identifier}" sort="false" retrieve="true"><title>${name}</title></schema>\n`,
)}
</schemaInfo>
<configInfo>
<default type="numberOfRecords">${records.usually}</default>
<setting type="maximumRecords">${records.atMost}</setting>
</configInfo>
</explain>`;
}
