import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccessLog } from './access-log.js';
import { AuditedReaders } from './audited-readers.js';

/**
 * Subscribes an auditor to a reader's history, and logs the access first. Returns the reader's pseudonym in the log.
 * @throws DomainError NotFound, LookNotRecorded
 */
export class WatchReader extends Command<string> {
  constructor(
    readonly auditorId: string,
    readonly readerId: string,
    readonly correlationId: string,
  ) {
    super();
  }
}

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
