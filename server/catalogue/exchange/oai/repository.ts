import { Inject, Injectable } from '@nestjs/common';
import { bookIdSchema } from '#contracts/catalogue/book-views.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { markup, type Markup } from '#platform/markup.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { METADATA_FORMATS, SCHEMA_INSTANCE } from '../record-formats.js';
import { Harvest, type HarvestAsOf, type HarvestedRecord, type Wanted } from './harvest.js';
import { OaiError, placeOf, readRequest, tokenOf, type OaiRequest, type Place } from './oai-request.js';

/** Records of a list that are answered at once. */
const PAGE = 200;

const OAI = 'http://www.openarchives.org/OAI/2.0/';
const ADDRESS = /^\S+@(?:\S+\.)+\S+$/;
const SET = /^list-([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
const NO_LIST = '00000000-0000-0000-0000-000000000000';
const SECOND = 1_000;
const DAY = 86_400 * SECOND;

const inUtc = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;

/** The catalogue for harvesters, by the Protocol for Metadata Harvesting 2.0 of the Open Archives Initiative. */
@Injectable()
export class OaiRepository {
  private readonly site: string;
  /** The library’s name on the net, by which its records are known everywhere. */
  private readonly host: string;

  constructor(
    private readonly harvest: Harvest,
    private readonly library: LibraryFacts,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.site = publicUrl(settings);
    const { hostname } = new URL(this.site);
    this.host = /^[a-z][\w-]*(?:\.[a-z][\w-]*)+$/i.test(hostname) ? hostname : 'library.invalid';
  }

  /** @returns the document that answers the arguments of a request, whatever they are */
  answer(asked: URLSearchParams): Promise<Markup> {
    return this.harvest.asOfNow(async (records) => {
      let understood = {};
      let said: Markup;
      try {
        const request = readRequest(asked);
        const { verb, given } = request;
        understood = { verb, ...given };
        said = markup`<${verb}>${await this.said(request, records)}</${verb}>`;
      } catch (error) {
        if (!(error instanceof OaiError)) throw error;
        said = markup`<error code="${error.code}">${error.message}</error>`;
      }
      const attributes = Object.entries<string>(understood).map(
        ([name, value]) => markup` ${name}="${value}"`,
      );
      return markup`<OAI-PMH xmlns="${OAI}" xmlns:xsi="${SCHEMA_INSTANCE}" xsi:schemaLocation="${OAI} ${OAI}OAI-PMH.xsd">
<responseDate>${inUtc(records.now)}</responseDate>
<request${attributes}>${this.site}/oai</request>
${said}
</OAI-PMH>`;
    });
  }

  private async said({ verb, given }: OaiRequest, records: HarvestAsOf): Promise<Markup | Markup[]> {
    const { identifier, metadataPrefix = '', from, until, set } = given;
    switch (verb) {
      case 'Identify':
        return this.identity(records.earliest);
      case 'ListMetadataFormats':
        if (identifier !== undefined) await this.recordOf(identifier, records);
        return [...METADATA_FORMATS].map(
          ([prefix, { schema, namespace }]) => markup`<metadataFormat>
<metadataPrefix>${prefix}</metadataPrefix>
<schema>${schema}</schema>
<metadataNamespace>${namespace}</metadataNamespace>
</metadataFormat>`,
        );
      case 'ListSets':
        if (given.resumptionToken !== undefined) {
          throw new OaiError('badResumptionToken', 'all sets are answered at once');
        }
        return this.sets(records);
      case 'GetRecord':
        return this.writerOf(metadataPrefix)(await this.recordOf(identifier ?? '', records));
      case 'ListIdentifiers':
      case 'ListRecords':
        if (given.resumptionToken !== undefined) {
          return this.list(placeOf(verb, given.resumptionToken), records);
        }
        if (set !== undefined) await this.sets(records);
        return this.list({ verb, selection: { metadataPrefix, from, until, set }, after: 0 }, records);
    }
  }

  private identity(earliest: Date): Markup {
    const { name, all } = this.library;
    // The protocol asks for one, whether the library has said it or not.
    const email = ADDRESS.test(all.email) ? all.email : `postmaster@${this.host}`;
    return markup`<repositoryName>${name}</repositoryName>
<baseURL>${this.site}/oai</baseURL>
<protocolVersion>2.0</protocolVersion>
<adminEmail>${email}</adminEmail>
<earliestDatestamp>${inUtc(earliest)}</earliestDatestamp>
<deletedRecord>persistent</deletedRecord>
<granularity>YYYY-MM-DDThh:mm:ssZ</granularity>`;
  }

  /** @throws OaiError noSetHierarchy */
  private async sets(records: HarvestAsOf): Promise<Markup[]> {
    const lists = await records.lists();
    if (lists.length === 0) throw new OaiError('noSetHierarchy', 'the library shows no lists');
    return lists.map(
      ({ id, name }) => markup`<set><setSpec>list-${id}</setSpec><setName>${name}</setName></set>`,
    );
  }

  private async list(place: Place, records: HarvestAsOf): Promise<Markup> {
    const isWhole = place.verb === 'ListRecords';
    const write = this.writerOf(place.selection.metadataPrefix, isWhole);
    const found = await records.records(wantedOf(place), PAGE + 1, isWhole);
    if (found.length === 0) throw new OaiError('noRecordsMatch', 'nothing, or nothing more, is like that');
    const page = found.slice(0, PAGE);
    const last = page.at(-1)?.id ?? 0;
    const isLast = found.length <= PAGE;
    // A list that was begun ends with an empty token.
    const token = isLast ? '' : tokenOf({ ...place, after: last });
    const isWholeList = isLast && place.after === 0;
    return markup`${page.map(write)}${!isWholeList && markup`<resumptionToken>${token}</resumptionToken>`}`;
  }

  /** @throws OaiError cannotDisseminateFormat */
  private writerOf(prefix: string, isWhole = true): (record: HarvestedRecord) => Markup {
    const format = METADATA_FORMATS.get(prefix);
    if (!format) {
      throw new OaiError('cannotDisseminateFormat', 'ListMetadataFormats names those that there are');
    }
    const header = ({ id, isDeleted, stampedAt, lists }: HarvestedRecord) =>
      markup`<header${isDeleted && markup` status="deleted"`}>
<identifier>oai:${this.host}:${id}</identifier>
<datestamp>${inUtc(stampedAt)}</datestamp>
${lists.map((list) => markup`<setSpec>list-${list}</setSpec>\n`)}</header>`;
    if (!isWhole) return header;
    return (record) => markup`<record>
${header(record)}
${record.book && markup`<metadata>${format.write(record.book, this.site)}</metadata>\n`}</record>`;
  }

  /** @throws OaiError idDoesNotExist */
  private async recordOf(identifier: string, records: HarvestAsOf): Promise<HarvestedRecord> {
    const [, host, number] = /^oai:([^:]+):([1-9]\d*)$/.exec(identifier) ?? [];
    const { data: id } = bookIdSchema.safeParse(host === this.host ? Number(number) : undefined);
    const [record] = id === undefined ? [] : await records.records({ id }, 1, true);
    if (!record) throw new OaiError('idDoesNotExist', 'there is no such book, and was none');
    return record;
  }
}

/** A set that is none has no records. */
function wantedOf({ selection: { from, until, set }, after }: Place): Wanted {
  const length = until?.includes('T') ? SECOND : DAY;
  return {
    from: from === undefined ? undefined : new Date(from),
    before: until === undefined ? undefined : new Date(Date.parse(until) + length),
    list: set === undefined ? undefined : (SET.exec(set)?.[1] ?? NO_LIST),
    after,
  };
}
