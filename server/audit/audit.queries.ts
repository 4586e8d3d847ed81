import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccessLogQuery, Look } from '#contracts/audit/access-log.js';
import type {
  AuditEvent,
  AuditEvents,
  AuditEventsQuery,
  AuditReader,
  AuditReadersQuery,
} from '#contracts/audit/audit-events.js';
import type { Timeline } from '#contracts/audit/timeline.js';
import type { Paged } from '#contracts/paging.js';
import { AccessLog } from './access-log.js';
import { AuditedReaders, type AuditedReader } from './audited-readers.js';
import { HistoryExport } from './export-history.js';
import { ReaderEvents } from './reader-events.js';

/** The readers whose histories can be audited. */
export class FindAuditReaders extends Query<Paged<AuditReader>> {
  constructor(readonly query: AuditReadersQuery) {
    super();
  }
}

@QueryHandler(FindAuditReaders)
export class FindAuditReadersHandler implements IQueryHandler<FindAuditReaders> {
  constructor(private readonly readers: AuditedReaders) {}

  execute({ query }: FindAuditReaders): Promise<Paged<AuditReader>> {
    return this.readers.find(query);
  }
}

/** A page of a reader's events as stored. */
export class ListEvents extends Query<AuditEvents> {
  constructor(
    readonly readerId: string,
    readonly query: AuditEventsQuery,
  ) {
    super();
  }
}

@QueryHandler(ListEvents)
export class ListEventsHandler implements IQueryHandler<ListEvents> {
  constructor(private readonly events: ReaderEvents) {}

  execute({ readerId, query }: ListEvents): Promise<AuditEvents> {
    return this.events.page(readerId, query);
  }
}

/** One event as stored. */
export class GetEvent extends Query<AuditEvent> {
  constructor(
    readonly readerId: string,
    readonly revision: number,
  ) {
    super();
  }
}

@QueryHandler(GetEvent)
export class GetEventHandler implements IQueryHandler<GetEvent> {
  constructor(private readonly events: ReaderEvents) {}

  /** @throws DomainError `NotFound` */
  execute({ readerId, revision }: GetEvent): Promise<AuditEvent> {
    return this.events.one(readerId, revision);
  }
}

/** Every event of a reader after a revision, in compact form. */
export class GetTimeline extends Query<Timeline> {
  constructor(
    readonly reader: AuditedReader,
    readonly after: number,
  ) {
    super();
  }
}

@QueryHandler(GetTimeline)
export class GetTimelineHandler implements IQueryHandler<GetTimeline> {
  constructor(private readonly events: ReaderEvents) {}

  execute({ reader, after }: GetTimeline): Promise<Timeline> {
    return this.events.timeline(reader, after);
  }
}

/** The lines of a reader's history as a file, generated while they are read. */
export class ExportHistory extends Query<AsyncIterable<string>> {
  constructor(readonly readerId: string) {
    super();
  }
}

@QueryHandler(ExportHistory)
export class ExportHistoryHandler implements IQueryHandler<ExportHistory> {
  constructor(private readonly exports: HistoryExport) {}

  execute({ readerId }: ExportHistory): Promise<AsyncIterable<string>> {
    return this.exports.lines(readerId);
  }
}

/** A page of the access log. */
export class ListLooks extends Query<Paged<Look>> {
  constructor(readonly query: AccessLogQuery) {
    super();
  }
}

@QueryHandler(ListLooks)
export class ListLooksHandler implements IQueryHandler<ListLooks> {
  constructor(private readonly looks: AccessLog) {}

  execute({ query }: ListLooks): Promise<Paged<Look>> {
    return this.looks.list(query);
  }
}
