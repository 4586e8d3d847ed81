import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { MARC_OUTCOMES } from '#contracts/catalogue/marc-import.js';
import { localDay } from '#contracts/local-day.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { correlationId } from '../../http/correlation.js';
import { MARC_XML_HEAD, MARC_XML_TAIL, parseMarcXml, writeMarcXml } from '../marc/marc-xml.js';
import { MarcDamaged } from '../marc/record.js';
import { MarcImportCommands } from '../marc-import/marc-import.commands.js';
import { lastWins } from '../marc-import/marc-imports.js';
import { stageMarc } from '../marc-import/stage-marc.js';
import { ServiceFailed } from './book-service.js';
import { SourceList } from './book-sources.js';
import { beginHarvest, endHarvest, harvestsNow, noteHarvested } from './harvest-rows.js';
import { listRecords, type OaiSource } from './oai-pmh.js';
import type { AnsweredRecord, XmlAnswer } from './xml-answer.js';

const HOUR = 3_600_000;

/**
 * Follows sets of OAI-PMH, each once a night: what is new there becomes an import that waits for a person, or for none where the
 * source says so.
 */
@Injectable()
export class Harvests implements OnModuleInit, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
    private readonly sources: SourceList,
    private readonly imports: MarcImportCommands,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'harvest', HOUR, ({ sourceId }) => this.harvest(sourceId));
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }

  /** Has a set followed now, by a job. @throws DomainError NotFound */
  async ask(sourceId: string): Promise<void> {
    const { sources } = await this.sources.stored();
    if (!sources.some(({ id, kind }) => id === sourceId && kind === 'oai-pmh'))
      throw new DomainError('NotFound', m.source_gone());
    await writeToOutbox(this.database, 'upkeep', 'harvest', { sourceId }, correlationId());
  }

  /**
   * @param sourceId this set now; without one, each that was not yet followed today
   * @returns how many were followed
   */
  async harvest(sourceId?: string): Promise<{ harvested: number }> {
    const { sources } = await this.sources.stored();
    const before = await harvestsNow(this.database);
    const today = this.day(this.clock.now());
    let harvested = 0;
    for (const source of sources) {
      if (source.kind !== 'oai-pmh' || source.id === null) continue;
      const last = before.find(({ source_id }) => source_id === source.id);
      const isOver = last !== undefined && last.ended_at !== null && last.outcome !== 'skipped';
      const isDue = source.on && !(isOver && this.day(last.began_at) === today);
      if (sourceId === undefined ? !isDue : source.id !== sourceId) continue;
      const now = this.clock.now();
      if (!(await beginHarvest(this.database, source.id, now))) continue;
      await this.follow({ ...source, id: source.id }, last?.since ?? null, now);
      harvested += 1;
    }
    return { harvested };
  }

  private day = (at: Date): string => localDay(at.getTime(), this.timeZone.name);

  private async follow(source: OaiSource & { id: string }, since: string | null, now: Date): Promise<void> {
    try {
      const pages = this.pages(source, since);
      const first = await pages.next();
      const isEmpty = first.done === true || first.value.records.length === 0;
      const answered = first.done === true ? '' : (first.value.texts.get('responseDate') ?? '');
      const importId = isEmpty ? null : await this.stage(source, first.value, pages, now);
      await endHarvest(this.database, source.id, this.clock.now(), {
        // By the clock of the source.
        since: /^\d{4}-\d{2}-\d{2}/.exec(answered)?.[0] ?? now.toISOString().slice(0, 10),
        importId,
      });
    } catch (error) {
      const theirs = error instanceof ServiceFailed && !this.closing.signal.aborted ? error : undefined;
      await endHarvest(this.database, source.id, this.clock.now(), {
        // What is broken off here is begun again.
        outcome: theirs?.outcome ?? 'skipped',
        detail: theirs?.message.slice(0, 300) ?? '',
      });
      if (!theirs) throw error;
      this.logger.warn(
        { reason: theirs.message, source: source.name },
        'a set of records could not be followed',
      );
    }
  }

  private pages(source: OaiSource, since: string | null): AsyncGenerator<XmlAnswer> {
    const { signal } = this.closing;
    return listRecords(source, since, () => this.sources.asking(source, signal), signal);
  }

  /** @returns the import; null where it has nothing that the catalogue does not have */
  private async stage(
    source: OaiSource & { id: string },
    first: XmlAnswer,
    rest: AsyncGenerator<XmlAnswer>,
    now: Date,
  ): Promise<string | null> {
    const { database } = this;
    async function* chunks() {
      yield Buffer.from(MARC_XML_HEAD);
      for await (const { records } of together(first, rest)) {
        await noteHarvested(database, source.id, records);
        yield Buffer.from(records.map(marcXmlOf).join(''));
      }
      yield Buffer.from(MARC_XML_TAIL);
    }
    const importId = await stageMarc(database, chunks(), {
      ...{
        name: source.name,
        form: 'marcxml',
        wins: await lastWins(database),
        copies: 1,
        startedBy: null,
        now,
      },
    });
    const { outcomes } = await this.imports.read(importId);
    if (MARC_OUTCOMES.every((outcome) => outcome === 'same' || outcomes[outcome] === 0)) {
      await this.imports.forget(importId);
      return null;
    }
    if (source.takesNew && outcomes.new > 0) {
      await this.imports.chooseRows(importId, false, { outcome: 'changed' });
      await this.imports.begin(importId, 'run');
    }
    return importId;
  }
}

async function* together<Item>(first: Item, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield first;
  yield* rest;
}

/** A deleted record has nothing left but its name: it is shown by that, as refused. */
function marcXmlOf({ identifier, isDeleted, marc }: AnsweredRecord): string {
  if (isDeleted)
    return writeMarcXml({
      leader: '00000dam a2200000 a 4500',
      fields: [{ tag: '245', indicators: '00', subfields: [['a', identifier.replace(/\p{C}/gu, '')]] }],
    });
  if (marc === undefined) return '';
  try {
    // Without prefixes that are declared elsewhere.
    return writeMarcXml(parseMarcXml(marc));
  } catch (error) {
    if (error instanceof MarcDamaged) return marc;
    throw error;
  }
}

/** Needs `JobsModule`: a worker follows sets too. */
@Module({ providers: [Harvests, SourceList, MarcImportCommands], exports: [Harvests, SourceList] })
export class HarvestsModule {}
