import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { ChangeBorrowHandler, RentBooksHandler } from './borrow.commands.js';
import { BorrowSweep } from './borrow-sweep.js';
import { BorrowController } from './borrow.controller.js';
import {
  BorrowHistoryHandler,
  BorrowsByIdHandler,
  BorrowsChangedSinceHandler,
  ListBorrowsHandler,
} from './borrow.queries.js';
import { CopyHolds } from './copy-holds.js';
import { HoldReconciler } from './hold-reconciler.js';
import { LateFees } from './late-fees.js';
import { ReaderStreams } from './reader-streams.js';

@Module({
  imports: [CqrsModule, ReadModelsModule],
  controllers: [BorrowController],
  providers: [
    ReaderStreams,
    CopyHolds,
    HoldReconciler,
    LateFees,
    BorrowSweep,
    RentBooksHandler,
    ChangeBorrowHandler,
    ListBorrowsHandler,
    BorrowHistoryHandler,
    BorrowsByIdHandler,
    BorrowsChangedSinceHandler,
  ],
})
export class BorrowingModule {}
