import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import type { Harvest } from '#contracts/catalogue/book-sources.js';
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
import { lastWins, MARC_IMPORTS } from '../marc-import/marc-imports.js';
import { stageMarc } from '../marc-import/stage-marc.js';
import { ServiceFailed } from './book-service.js';
import { SourceList } from './book-sources.js';
import { listRecords, type OaiSource } from './oai-pmh.js';
import type { AnsweredRecord } from './xml-answer.js';

const HOUR = 3_600_000;

type FollowedSet = OaiSource & { id: string; last: Harvest | undefined };

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

  /** Has a set followed now, by a job, unless it is under way. @throws DomainError NotFound */
  async ask(sourceId: string): Promise<void> {
    const source = (await this.sets()).find(({ id }) => id === sourceId);
    if (!source) throw new DomainError('NotFound', m.source_gone());
    if (await this.begin(source))
      await writeToOutbox(this.database, 'upkeep', 'harvest', { sourceId }, correlationId());
  }

  /** @param sourceId a set that was asked for; without one, each that was not yet followed today */
  async harvest(sourceId?: string): Promise<void> {
    const today = this.day(this.clock.now());
    for (const source of await this.sets()) {
      const { last } = source;
      const isUnderWay = last !== undefined && last.endedAt === null;
      if (sourceId !== undefined) {
        if (source.id === sourceId && isUnderWay) await this.follow(source, last);
      } else if (source.on && (isUnderWay || !last || this.day(new Date(last.beganAt)) < today)) {
        const run = await this.begin(source);
        if (run) await this.follow(source, run);
      }
    }
  }

  private async sets(): Promise<FollowedSet[]> {
    const [{ sources }, harvests] = await Promise.all([this.sources.stored(), this.sources.harvests()]);
    return sources.flatMap((source) =>
      source.kind === 'oai-pmh' && source.id !== null
        ? [{ ...source, id: source.id, last: harvests.find(({ sourceId }) => sourceId === source.id) }]
        : [],
    );
  }

  private day = (at: Date): string => localDay(at.getTime(), this.timeZone.name);

  /** @returns nothing where somebody else follows it; one that was killed comes no further */
  private async begin({ id, last }: FollowedSet): Promise<Harvest | undefined> {
    const run: Harvest = {
      ...{ sourceId: id, beganAt: this.clock.now().toISOString(), endedAt: null, since: last?.since ?? null },
      ...{ outcome: null, detail: '', records: 0, deleted: 0, importId: null },
    };
    const isOver = `h.harvest ->> 'endedAt' is not null or h.touched_at < now() - interval '20 minutes'`;
    return (await this.keep(run, isOver)) ? run : undefined;
  }

  private async keep(run: Harvest, where = 'true'): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `insert into source_harvest as h (source_id, harvest, touched_at) values ($1, $2, now())
       on conflict (source_id) do update set harvest = excluded.harvest, touched_at = now() where ${where}`,
      [run.sourceId, run],
    );
    return rowCount === 1;
  }

  private async follow(source: FollowedSet, run: Harvest): Promise<void> {
    const { signal } = this.closing;
    try {
      Object.assign(run, await this.stage(source, run));
    } catch (error) {
      // Whoever works off the queue next goes on.
      if (signal.aborted) throw error;
      const isTheirs = error instanceof ServiceFailed;
      const { outcome, message } = isTheirs ? error : new ServiceFailed('');
      Object.assign(run, { outcome, detail: message.slice(0, 300) });
      if (!isTheirs) throw error;
      this.logger.warn({ reason: message, source: source.name }, 'a set of records could not be followed');
    } finally {
      if (!signal.aborted) await this.keep({ ...run, endedAt: this.clock.now().toISOString() });
    }
  }

  /** @returns the import; null where it would have nothing that the catalogue does not have */
  private async stage(source: FollowedSet, run: Harvest): Promise<Pick<Harvest, 'importId' | 'since'>> {
    const { signal } = this.closing;
    const now = this.clock.now();
    // By the clock of the source, as it began to answer.
    let since: string | undefined;
    const pages = listRecords(source, run.since, () => this.sources.asking(source, signal), signal);
    const keep = () => this.keep(run);
    async function* chunks() {
      yield Buffer.from(MARC_XML_HEAD);
      for await (const { records, texts } of pages) {
        since ??= texts.get('responseDate')?.slice(0, 10);
        run.records += records.length;
        run.deleted += records.filter(({ isDeleted }) => isDeleted).length;
        await keep();
        yield Buffer.from(records.map(marcXmlOf).join(''));
      }
      yield Buffer.from(MARC_XML_TAIL);
    }
    const importId = await stageMarc(this.database, chunks(), {
      ...{ name: source.name, form: 'marcxml', copies: 1, startedBy: null, now },
      wins: await lastWins(this.database),
    });
    const next = z.iso.date().safeParse(since).data ?? now.toISOString().slice(0, 10);
    const { outcomes } = await MARC_IMPORTS.read(this.database, importId);
    if (MARC_OUTCOMES.every((outcome) => outcome === 'same' || outcomes[outcome] === 0)) {
      await MARC_IMPORTS.forget(this.database, importId);
      return { importId: null, since: next };
    }
    if (source.takesNew && outcomes.new > 0) {
      await this.imports.chooseRows(importId, false, { outcome: 'changed' });
      await MARC_IMPORTS.enqueue(this.database, importId, 'run');
    }
    return { importId, since: next };
  }
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
