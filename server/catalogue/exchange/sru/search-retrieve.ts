import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { inSnapshot } from '#platform/database/snapshot.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { markup, type Markup } from '#platform/markup.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { readStoredBooks, type StoredBook } from '../../marc-import/marc-books.js';
import { RECORD_SCHEMAS } from '../record-formats.js';
import { conditionOf } from './cql-sql.js';
import { parseCql } from './cql.js';
import { SruDiagnostic } from './diagnostic.js';
import { EXPLAIN, explainRecord } from './explain.js';

/** Records that are answered where nobody says how many, and at most. */
const RECORDS = { usually: 10, atMost: 100 };
const LAST_PLACE = 2_147_483_647;

/** What the versions have otherwise: their namespaces, and the name of what says how a record is written. */
const ONE = {
  response: 'http://www.loc.gov/zing/srw/',
  diagnostic: 'http://www.loc.gov/zing/srw/diagnostic/',
  packing: 'recordPacking',
};
const TWO = {
  response: 'http://docs.oasis-open.org/ns/search-ws/sruResponse',
  diagnostic: 'http://docs.oasis-open.org/ns/search-ws/diagnostic',
  packing: 'recordXMLEscaping',
};
const VERSIONS = new Map([
  ['1.1', ONE],
  ['1.2', ONE],
  ['2.0', TWO],
]);

const PARAMETERS =
  'version operation query queryType startRecord maximumRecords recordSchema sortKeys recordPacking recordXMLEscaping resultSetTTL recordXPath stylesheet responseType httpAccept renderedBy'.split(
    ' ',
  );

const totalRow = z.object({ total: z.int() });
const idRow = z.object({ id: z.int() });

/** The catalogue for other programs, by SRU 1.1, 1.2 and 2.0: Search/Retrieve via URL. */
@Injectable()
export class SearchRetrieve {
  private readonly site: string;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly library: LibraryFacts,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.site = publicUrl(settings);
  }

  /** @returns the document that answers the parameters of a request, whatever they are */
  async answer(asked: URLSearchParams): Promise<Markup> {
    const operation = asked.get('operation');
    // Only the older ones have an operation, and say which they are.
    const named = asked.get('version') ?? (operation === null ? '2.0' : '1.2');
    const version = VERSIONS.has(named) ? named : '1.2';
    const { response, diagnostic, packing: packingName } = VERSIONS.get(version) ?? ONE;
    const isSearch = operation === null ? asked.has('query') : operation === 'searchRetrieve';
    const packing = asked.get(packingName) ?? 'xml';
    const isString = packing === 'string';
    const record = (schema: string, data: Markup, position?: number) => markup`<zs:record>
<zs:recordSchema>${schema}</zs:recordSchema>
<zs:${packingName}>${isString ? 'string' : 'xml'}</zs:${packingName}>
<zs:recordData>${isString ? String(data) : data}</zs:recordData>
${position !== undefined && markup`<zs:recordPosition>${position}</zs:recordPosition>\n`}</zs:record>`;
    const library = { name: this.library.name, site: this.site };
    const explained = () => record(EXPLAIN, explainRecord(library, version, RECORD_SCHEMAS, RECORDS));
    let said: Markup;
    try {
      refuseUnknown(asked);
      if (!['xml', 'string'].includes(packing)) throw new SruDiagnostic(71, packing);
      said = isSearch ? await this.found(asked, record) : explained();
    } catch (error) {
      if (!(error instanceof SruDiagnostic)) throw error;
      const { number, details, message } = error;
      said = markup`${isSearch ? markup`<zs:numberOfRecords>0</zs:numberOfRecords>` : explained()}
<zs:diagnostics><diag:diagnostic xmlns:diag="${diagnostic}">
<diag:uri>info:srw/diagnostic/1/${number}</diag:uri>
${details !== '' && markup`<diag:details>${details}</diag:details>\n`}<diag:message>${message}</diag:message>
</diag:diagnostic></zs:diagnostics>`;
    }
    const name = isSearch ? 'zs:searchRetrieveResponse' : 'zs:explainResponse';
    return markup`<${name} xmlns:zs="${response}">
${version !== '2.0' && markup`<zs:version>${version}</zs:version>\n`}${said}
</${name}>`;
  }

  private async found(
    asked: URLSearchParams,
    record: (schema: string, data: Markup, position: number) => Markup,
  ): Promise<Markup> {
    const query = asked.get('query')?.replaceAll('\0', ' ') ?? '';
    if (query.trim() === '') throw new SruDiagnostic(7, 'query');
    const start = numberOf(asked, 'startRecord', 1) ?? 1;
    const most = numberOf(asked, 'maximumRecords', 0) ?? RECORDS.usually;
    const schemaName = asked.get('recordSchema') ?? 'marcxml';
    const [, schema] =
      [...RECORD_SCHEMAS].find(([name, { identifier }]) => [name, identifier].includes(schemaName)) ?? [];
    if (!schema) throw new SruDiagnostic(66, schemaName);
    const { total, books } = await this.books(
      query,
      asked.get('sortKeys') ?? '',
      start - 1,
      Math.min(most, RECORDS.atMost),
    );
    if (start > Math.max(total, 1)) throw new SruDiagnostic(61);
    const next = start + books.length;
    const records = books.map((book, at) =>
      record(schema.identifier, schema.write(book, this.site), start + at),
    );
    return markup`<zs:numberOfRecords>${total}</zs:numberOfRecords>
${records.length > 0 && markup`<zs:records>${records}</zs:records>`}
${records.length > 0 && next <= total && markup`<zs:nextRecordPosition>${next}</zs:nextRecordPosition>`}`;
  }

  /** @throws SruDiagnostic for what is not understood */
  private books(
    query: string,
    sortKeys: string,
    start: number,
    limit: number,
  ): Promise<{ total: number; books: StoredBook[] }> {
    const { where, orderBy, values } = conditionOf(parseCql(query), sortKeys);
    return inSnapshot(this.database, async (connection) => {
      const count = `select count(*)::integer as total from book b where ${where}`;
      const total = (await queryRow(connection, totalRow, count, values))?.total ?? 0;
      const page = `select b.id from book b where ${where} order by ${orderBy} limit ${limit} offset ${start}`;
      const found = start < total ? await queryRows(connection, idRow, page, values) : [];
      const books = await readStoredBooks(
        connection,
        'b.id = any($1::integer[]) order by array_position($1::integer[], b.id)',
        [found.map(({ id }) => id)],
      );
      return { total, books };
    });
  }
}

/** @throws SruDiagnostic 4 to 8, 72, 110 */
function refuseUnknown(asked: URLSearchParams): void {
  const operation = asked.get('operation');
  if (!VERSIONS.has(asked.get('version') ?? '2.0')) throw new SruDiagnostic(5, '2.0');
  if (![null, 'explain', 'searchRetrieve'].includes(operation)) throw new SruDiagnostic(4, operation ?? '');
  if (operation !== null && !asked.has('version')) throw new SruDiagnostic(7, 'version');
  const unknown = [...asked.keys()].find((name) => !PARAMETERS.includes(name) && !name.startsWith('x-'));
  if (unknown !== undefined) throw new SruDiagnostic(8, unknown);
  if (asked.get('stylesheet')) throw new SruDiagnostic(110);
  if (asked.get('recordXPath')) throw new SruDiagnostic(72);
  if (![null, 'cql'].includes(asked.get('queryType'))) throw new SruDiagnostic(6, 'queryType');
}

/** @throws SruDiagnostic 6 */
function numberOf(asked: URLSearchParams, name: string, least: number): number | undefined {
  const text = asked.get(name);
  if (text === null) return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(number >= least && number <= LAST_PLACE)) throw new SruDiagnostic(6, name);
  return number;
}
