import { MARC_NAMESPACE } from '../../marc/marc-xml.js';
import type { StoredBook } from '../../marc-import/marc-books.js';
import { dublinCoreOf, marcXmlOf } from '../public-record.js';
import { element, elements, SCHEMA_INSTANCE, type Xml } from '../xml.js';

interface MetadataFormat {
  namespace: string;
  schema: string;
  write: (book: StoredBook, site: string) => Xml;
}

const OAI_DC = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
const OAI_DC_SCHEMA = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';

/** The forms of a record, by their prefixes. */
export const METADATA_FORMATS = new Map<string, MetadataFormat>([
  [
    'oai_dc',
    {
      namespace: OAI_DC,
      schema: OAI_DC_SCHEMA,
      write: (book, site) =>
        element(
          'oai_dc:dc',
          {
            'xmlns:oai_dc': OAI_DC,
            'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
            'xmlns:xsi': SCHEMA_INSTANCE,
            'xsi:schemaLocation': `${OAI_DC} ${OAI_DC_SCHEMA}`,
          },
          elements(dublinCoreOf(book, site)),
        ),
    },
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
