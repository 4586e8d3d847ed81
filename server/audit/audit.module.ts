import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { IdentifyReadersHandler, WatchReaderHandler } from './audit.commands.js';
import { AuditController } from './audit.controller.js';
import { AuditedReaders } from './audited-readers.js';
import { HistoryExport } from './export-history.js';
import { AccessLog } from './access-log.js';
import { ReaderEvents } from './reader-events.js';

/** A reader's history for auditors, and the log of who accessed it. */
@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([AccountEntity])],
  controllers: [AuditController],
  providers: [
    AuditedReaders,
    ReaderEvents,
    HistoryExport,
    AccessLog,
    WatchReaderHandler,
    IdentifyReadersHandler,
  ],
})
export class AuditModule {}
