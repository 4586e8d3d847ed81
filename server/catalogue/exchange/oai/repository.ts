import { Inject, Injectable } from '@nestjs/common';
import { bookIdSchema } from '#contracts/catalogue/book-views.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { element, elements, SCHEMA_INSTANCE, xmlDocument, type Xml } from '../xml.js';
import { Harvest, type HarvestAsOf, type HarvestedRecord, type Wanted } from './harvest.js';
import { METADATA_FORMATS } from './metadata-formats.js';
import { OaiError, readRequest, type AskedSelection, type OaiRequest } from './oai-request.js';
import { placeOf, tokenOf, type Place } from './resumption-token.js';

/** Records of a list that are answered at once. */
const PAGE = 200;

const OAI = 'http://www.openarchives.org/OAI/2.0/';
const SET = /^list-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const ADDRESS = /^\S+@(?:\S+\.)+\S+$/;
const SECOND = 1_000;
const DAY = 86_400 * SECOND;

const inUtc = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

/** The catalogue for harvesters, by the Protocol for Metadata Harvesting 2.0 of the Open Archives Initiative. */
@Injectable()
export class OaiRepository {
  private readonly site: string;

  constructor(
    private readonly harvest: Harvest,
    private readonly library: LibraryFacts,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.site = publicUrl(settings);
  }

  /** @returns the document that answers the arguments of a request, whatever they are */
  async answer(asked: URLSearchParams): Promise<string> {
    let attributes: Record<string, string | undefined> = {};
    return this.harvest.asOfNow(async (records) => {
      try {
        const request = readRequest(asked);
        attributes = { ...request };
        return this.documentOf(
          records,
          attributes,
          element(request.verb, {}, await this.said(request, records)),
        );
      } catch (error) {
        if (!(error instanceof OaiError)) throw error;
        return this.documentOf(records, attributes, element('error', { code: error.code }, error.message));
      }
    });
  }

  private documentOf(
    { now }: HarvestAsOf,
    attributes: Record<string, string | undefined>,
    said: Xml,
  ): string {
    return xmlDocument(
      element(
        'OAI-PMH',
        {
          xmlns: OAI,
          'xmlns:xsi': SCHEMA_INSTANCE,
          'xsi:schemaLocation': `${OAI} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd`,
        },
        element('responseDate', {}, inUtc(now)),
        element('request', attributes, `${this.site}/oai`),
        said,
      ),
    );
  }

  private async said(request: OaiRequest, records: HarvestAsOf): Promise<Xml[]> {
    switch (request.verb) {
      case 'Identify':
        return this.identity(records.earliest);
      case 'ListMetadataFormats':
        if (request.identifier !== undefined) await this.recordOf(request.identifier, records);
        return [...METADATA_FORMATS].map(([prefix, { schema, namespace }]) =>
          element(
            'metadataFormat',
            {},
            elements([
              ['metadataPrefix', prefix],
              ['schema', schema],
              ['metadataNamespace', namespace],
            ]),
          ),
        );
      case 'ListSets':
        if ('resumptionToken' in request) {
          throw new OaiError('badResumptionToken', 'the sets are answered at once');
        }
        return this.sets(records);
      case 'GetRecord': {
        const write = this.writerOf(request.metadataPrefix);
        return [write(await this.recordOf(request.identifier, records))];
      }
      default:
        return this.list(
          'resumptionToken' in request
            ? placeOf(request.verb, request.resumptionToken)
            : await this.beginning(request, records),
          records,
        );
    }
  }

  private identity(earliest: Date): Xml[] {
    const { name, all } = this.library;
    return elements([
      ['repositoryName', name],
      ['baseURL', `${this.site}/oai`],
      ['protocolVersion', '2.0'],
      // The protocol asks for one, whether the library has said it or not.
      ['adminEmail', ADDRESS.test(all.email) ? all.email : `postmaster@${this.host}`],
      ['earliestDatestamp', inUtc(earliest)],
      ['deletedRecord', 'persistent'],
      ['granularity', 'YYYY-MM-DDThh:mm:ssZ'],
    ]);
  }

  private async sets(records: HarvestAsOf): Promise<Xml[]> {
    const lists = await records.lists();
    if (lists.length === 0) throw new OaiError('noSetHierarchy', 'the library shows no lists');
    return lists.map(({ id, name }) =>
      element(
        'set',
        {},
        elements([
          ['setSpec', `list-${id}`],
          ['setName', name],
        ]),
      ),
    );
  }

  private async beginning(
    { verb, ...asked }: AskedSelection & { verb: Place['verb'] },
    records: HarvestAsOf,
  ): Promise<Place> {
    if (asked.set !== undefined && (await records.lists()).length === 0) {
      throw new OaiError('noSetHierarchy', 'the library shows no lists');
    }
    return { verb, asked, after: 0, cursor: 0, size: await records.count(wantedOf(asked)) };
  }

  private async list(place: Place, records: HarvestAsOf): Promise<Xml[]> {
    const { verb, asked, after, cursor, size } = place;
    const isWhole = verb === 'ListRecords';
    const write = this.writerOf(asked.metadataPrefix, isWhole);
    const found = await records.records(wantedOf(asked), after, PAGE + 1, isWhole);
    if (found.length === 0) throw new OaiError('noRecordsMatch', 'nothing, or nothing more, is like that');
    const page = found.slice(0, PAGE);
    const next = { ...place, after: page.at(-1)?.id ?? after, cursor: cursor + page.length };
    const isLast = found.length <= PAGE;
    // Some stop by the size: as long as there is more, it is greater than what they have.
    const token = element(
      'resumptionToken',
      { completeListSize: Math.max(size, next.cursor + (isLast ? 0 : 1)), cursor },
      isLast ? '' : tokenOf(next),
    );
    return [...page.map(write), ...(isLast && cursor === 0 ? [] : [token])];
  }

  /** @throws OaiError cannotDisseminateFormat */
  private writerOf(prefix: string, isWhole = true): (record: HarvestedRecord) => Xml {
    const format = METADATA_FORMATS.get(prefix);
    if (!format)
      throw new OaiError('cannotDisseminateFormat', 'ListMetadataFormats names those that there are');
    if (!isWhole) return (record) => this.header(record);
    return (record) =>
      element(
        'record',
        {},
        this.header(record),
        record.book && element('metadata', {}, format.write(record.book, this.site)),
      );
  }

  private header({ id, isDeleted, stampedAt, lists }: HarvestedRecord): Xml {
    return element(
      'header',
      { status: isDeleted ? 'deleted' : undefined },
      elements([
        ['identifier', `oai:${this.host}:${id}`],
        ['datestamp', inUtc(stampedAt)],
        ...lists.map((list) => ['setSpec', `list-${list}`] as const),
      ]),
    );
  }

  /** @throws OaiError idDoesNotExist */
  private async recordOf(identifier: string, records: HarvestAsOf): Promise<HarvestedRecord> {
    const begin = `oai:${this.host}:`;
    const id = identifier.startsWith(begin) && /^[1-9]\d*$/.exec(identifier.slice(begin.length))?.[0];
    const { data } = bookIdSchema.safeParse(Number(id || NaN));
    const record = data === undefined ? undefined : await records.record(data);
    if (!record) throw new OaiError('idDoesNotExist', 'there is and was no such book');
    return record;
  }

  /** The library’s name on the net, by which its records are known everywhere; one of a single word is made one of two. */
  private get host(): string {
    const { hostname } = new URL(this.site);
    return /^[a-z][\w-]*(?:\.[a-z][\w-]*)+$/i.test(hostname) ? hostname : 'library.invalid';
  }
}

/** A set that is none has no records. */
function wantedOf({ from, until, set }: AskedSelection): Wanted {
  const list = set === undefined ? undefined : (SET.exec(set)?.[1] ?? '00000000-0000-0000-0000-000000000000');
  return {
    from: from === undefined ? undefined : new Date(from),
    before:
      until === undefined ? undefined : new Date(Date.parse(until) + (until.length > 10 ? SECOND : DAY)),
    list,
  };
}
