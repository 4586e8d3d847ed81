import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccessKind } from '#contracts/audit/access-log.js';
import type { Actor } from '#contracts/audit/audit-events.js';
import { CommandWith } from '../messages.js';
import { AccessLog } from './access-log.js';
import { AuditedReaders } from './audited-readers.js';

/**
 * Subscribes an auditor to a reader's history, and logs the access first. Returns the reader's pseudonym in the log.
 * @throws DomainError NotFound, LookNotRecorded
 */
export class WatchReader extends CommandWith<
  string,
  { auditorId: string; readerId: string; correlationId: string }
> {}

@CommandHandler(WatchReader)
export class WatchReaderHandler implements ICommandHandler<WatchReader> {
  constructor(
    private readonly readers: AuditedReaders,
    private readonly accessLog: AccessLog,
  ) {}

  async execute({ auditorId, readerId, correlationId }: WatchReader): Promise<string> {
    const { pseudonym } = await this.readers.known(readerId);
    await this.accessLog.record({ auditorId, readerId, kind: 'watch', correlationId });
    return pseudonym;
  }
}

/**
 * Tells who some readers are, and logs a look at each of them first. Returns them by their pseudonyms.
 * @throws DomainError LookNotRecorded
 */
export class IdentifyReaders extends CommandWith<
  ReadonlyMap<string, Actor>,
  {
    auditorId: string;
    pseudonyms: readonly string[];
    kind: AccessKind;
    /** Without personal data */
    parameters: Record<string, string | number>;
    correlationId: string;
  }
> {}

@CommandHandler(IdentifyReaders)
export class IdentifyReadersHandler implements ICommandHandler<IdentifyReaders> {
  constructor(
    private readonly readers: AuditedReaders,
    private readonly accessLog: AccessLog,
  ) {}

  async execute({ auditorId, pseudonyms, kind, parameters, correlationId }: IdentifyReaders) {
    const found = await this.readers.actors(pseudonyms);
    for (const { id: readerId } of found.values())
      await this.accessLog.record({ auditorId, readerId, kind, parameters, correlationId });
    return found;
  }
}
