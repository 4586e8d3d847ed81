import { publicAddress } from '#contracts/public-address.js';
import { NO_FIRSTNAME } from '../import/author-name.js';
import { canonicalIsbn } from '../isbn.js';
import { MARC_NAMESPACE, writeMarcXml } from '../marc/marc-xml.js';
import { element, SCHEMA_INSTANCE, Xml } from '../marc/xml.js';
import type { StoredBook } from '../marc-import/marc-books.js';
import { publicRecord } from './public-record.js';

/** The address of a book’s page. @param site where the library is reached */
const pageOf = (site: string, { id, book }: StoredBook) =>
  site + encodeURI(publicAddress('book', { id, title: book.title }));

/** A record element of MARCXML. */
const marcXmlOf = (stored: StoredBook, site: string): Xml =>
  new Xml(writeMarcXml(publicRecord(stored, pageOf(site, stored)), MARC_NAMESPACE));

/** Simple Dublin Core, in the element that a protocol has for it. */
function dublinCore(name: string, namespace: string, schema: string) {
  const [prefix] = name.split(':');
  return (stored: StoredBook, site: string): Xml => {
    const {
      title,
      originalTitle,
      authors,
      genres,
      description,
      publisher,
      published,
      language,
      series,
      numbers,
    } = stored.book;
    const isbns = numbers.filter((number) => canonicalIsbn(number) === number);
    const said: [string, readonly (string | null | undefined)[]][] = [
      ['title', [title, originalTitle]],
      [
        'creator',
        authors.map(({ firstname, lastname }) =>
          firstname === NO_FIRSTNAME ? lastname : `${lastname}, ${firstname}`,
        ),
      ],
      ['subject', genres],
      ['description', [description]],
      ['publisher', [publisher]],
      ['date', [published]],
      ['type', ['Text']],
      ['identifier', [pageOf(site, stored), ...isbns.map((isbn) => `urn:isbn:${isbn}`)]],
      ['language', [language]],
      ['relation', [series && [series.name, series.volume].filter(Boolean).join(' ; ')]],
    ];
    return element(
      name,
      {
        [`xmlns:${prefix}`]: namespace,
        'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
        'xmlns:xsi': SCHEMA_INSTANCE,
        'xsi:schemaLocation': `${namespace} ${schema}`,
      },
      said.map(([term, texts]) => texts.map((text) => (text ? element(`dc:${term}`, {}, text) : undefined))),
    );
  };
}

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
