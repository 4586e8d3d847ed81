import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import { BorrowingModule } from '../borrowing/borrowing.module.js';
import { WatchReaderHandler } from './audit.commands.js';
import {
  ExportHistoryHandler,
  FindAuditReadersHandler,
  GetEventHandler,
  GetTimelineHandler,
  ListEventsHandler,
  ListLooksHandler,
} from './audit.queries.js';
import { AuditController } from './audit.controller.js';
import { AuditedReaders } from './audited-readers.js';
import { HistoryExport } from './export-history.js';
import { AccessLog } from './access-log.js';
import { ReaderEvents } from './reader-events.js';

/** What auditors see of a reader's history, and the record of who looked. */
@Module({
  imports: [CqrsModule, TypeOrmModule.forFeature([AccountEntity]), BorrowingModule],
  controllers: [AuditController],
  providers: [
    AuditedReaders,
    ReaderEvents,
    HistoryExport,
    AccessLog,
    WatchReaderHandler,
    FindAuditReadersHandler,
    ListEventsHandler,
    GetEventHandler,
    GetTimelineHandler,
    ExportHistoryHandler,
    ListLooksHandler,
  ],
})
export class AuditModule {}
