import { publicAddress } from '#contracts/public-address.js';
import { markup, Markup } from '#platform/markup.js';
import type { AuthorName } from '../book-writer.js';
import { NO_FIRSTNAME } from '../import/author-name.js';
import { canonicalIsbn } from '../isbn.js';
import { MARC_NAMESPACE, writeMarcXml } from '../marc/marc-xml.js';
import type { StoredBook } from '../marc-import/marc-books.js';
import { publicRecord } from './public-record.js';

/** The address of a book’s page. @param site where the library is reached */
const pageOf = (site: string, { id, book }: StoredBook) =>
  site + encodeURI(publicAddress('book', { id, title: book.title }));

/** A record element of MARCXML. */
const marcXmlOf = (stored: StoredBook, site: string): Markup =>
  new Markup(writeMarcXml(publicRecord(stored, pageOf(site, stored)), MARC_NAMESPACE));

const nameOf = ({ firstname, lastname }: AuthorName) =>
  firstname === NO_FIRSTNAME ? lastname : `${lastname}, ${firstname}`;

/** Simple Dublin Core, in the element that a protocol has for it. */
function dublinCore(name: string, namespace: string, schema: string) {
  const [prefix] = name.split(':');
  return (stored: StoredBook, site: string): Markup => {
    const { book } = stored;
    const isbns = book.numbers.filter((number) => canonicalIsbn(number) === number);
    const elements = {
      title: [book.title, book.originalTitle],
      creator: book.authors.map(nameOf),
      subject: book.genres,
      description: [book.description],
      publisher: [book.publisher],
      date: [book.published],
      type: ['Text'],
      identifier: [pageOf(site, stored), ...isbns.map((isbn) => `urn:isbn:${isbn}`)],
      language: [book.language],
      relation: [book.series && [book.series.name, book.series.volume].filter(Boolean).join(' ; ')],
    };
    return markup`<${name} xmlns:${prefix}="${namespace}" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xsi="${SCHEMA_INSTANCE}" xsi:schemaLocation="${namespace} ${schema}">
${Object.entries(elements).map(([element, texts]) =>
  texts.filter(Boolean).map((text) => markup`<dc:${element}>${text}</dc:${element}>\n`),
)}</${name}>`;
  };
}

export const SCHEMA_INSTANCE = 'http://www.w3.org/2001/XMLSchema-instance';
const OAI_DC = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
const OAI_DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';

/** The forms of a record for harvesters, by their prefixes. */
export const METADATA_FORMATS = new Map([
  [
    'oai_dc',
    { namespace: OAI_DC, schema: OAI_DC_SCHEMA, write: dublinCore('oai_dc:dc', OAI_DC, OAI_DC_SCHEMA) },
  ],
  [
    'marcxml',
    {
      namespace: MARC_NAMESPACE,
      schema: 'http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
      write: marcXmlOf,
    },
  ],
]);

const SRW_DC = 'info:srw/schema/1/dc-schema';

/** The same for programs that search, by their short names; the first is the usual one. */
export const RECORD_SCHEMAS = new Map([
  ['marcxml', { identifier: 'info:srw/schema/1/marcxml-v1.1', write: marcXmlOf }],
  [
    'dc',
    {
      identifier: 'info:srw/schema/1/dc-v1.1',
      write: dublinCore('srw_dc:dc', SRW_DC, 'http://www.loc.gov/standards/sru/recordSchemas/dc-schema.xsd'),
    },
  ],
]);
