import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { ChangeBorrowHandler, RentBooksHandler } from './borrow.commands.js';
import { BorrowSweep } from './borrow-sweep.js';
import { BorrowController } from './borrow.controller.js';
import { BorrowDetailsQueries } from './borrow-details.queries.js';
import { DeskController } from './desk.controller.js';
import {
  BorrowQueries,
  BorrowViews,
  BorrowsByIdHandler,
  BorrowsChangedSinceHandler,
  ListBorrowsHandler,
} from './borrow.queries.js';
import { AccrueFeeHandler, LateFees } from './accrue-fee.command.js';
import { WaiveFeeHandler } from './waivers/waive-fee.command.js';
import { WaiverRequests } from './waivers/waiver-requests.js';
import { WaiverRequestsController } from './waivers/waiver-requests.controller.js';
import { CopyAllocations } from './copy-allocations.js';
import { FoundLosses } from './found-losses.js';
import { FeeNowHandler } from './fees.queries.js';
import { AllocationReconciler } from './allocation-reconciler.js';
import { HoldController } from './holds/hold.controller.js';
import { ChangeHoldHandler, PlaceHoldHandler } from './holds/hold.commands.js';
import { HeldCopies } from './holds/held-copies.js';
import { HeldAfterReturnHandler } from './holds/held-after-return.queries.js';
import { HeldTitles } from './holds/held-titles.js';
import { HoldQueuesQueries } from './holds/hold-queues.queries.js';
import { HoldReconciler } from './holds/hold-reconciler.js';
import {
  HoldCountsHandler,
  HoldFiguresHandler,
  HoldQueries,
  HoldsOfReaderHandler,
  HoldViews,
  PlaceOfHoldHandler,
} from './holds/hold.queries.js';
import { MarkLostHandler } from './loss.commands.js';
import {
  ExplainFeeHandler,
  PastBorrowByIdHandler,
  PastBorrowsOfHandler,
  ReaderOfBorrowHandler,
} from './past-borrows.queries.js';
import { Pseudonyms, ReaderKinds } from './known-readers.js';
import { InMemoryQueue } from './queue-index/in-memory-queue.js';
import { ReaderBlocks } from './reader-blocks.js';
import { ReaderReplays } from './streams/reader-replays.js';
import { GetReplayHandler } from './streams/reader-replays.queries.js';
import { StandingOfHandler } from './reader-standing.queries.js';
import { EndVisitHandler, VisitsOfHandler } from './visits.queries.js';
import { ReaderStreams } from './streams/reader-streams.js';
import { TakeOverLoanHandler } from './take-over-loan.commands.js';
import { UndoHandler } from './undo.command.js';
import { UndoFindingHandler } from './undo-finding.command.js';

@Module({
  imports: [CqrsModule, IdempotencyModule, ReadModelsModule],
  controllers: [BorrowController, DeskController, HoldController, WaiverRequestsController],
  providers: [
    Pseudonyms,
    ReaderBlocks,
    ReaderKinds,
    ReaderStreams,
    CopyAllocations,
    AllocationReconciler,
    LateFees,
    InMemoryQueue,
    BorrowSweep,
    RentBooksHandler,
    ChangeBorrowHandler,
    WaiveFeeHandler,
    WaiverRequests,
    MarkLostHandler,
    TakeOverLoanHandler,
    FoundLosses,
    UndoHandler,
    UndoFindingHandler,
    AccrueFeeHandler,
    ListBorrowsHandler,
    BorrowQueries,
    BorrowViews,
    BorrowsByIdHandler,
    BorrowsChangedSinceHandler,
    ReaderReplays,
    GetReplayHandler,
    PastBorrowsOfHandler,
    PastBorrowByIdHandler,
    ExplainFeeHandler,
    ReaderOfBorrowHandler,
    FeeNowHandler,
    BorrowDetailsQueries,
    StandingOfHandler,
    VisitsOfHandler,
    EndVisitHandler,
    PlaceHoldHandler,
    ChangeHoldHandler,
    HoldReconciler,
    HeldCopies,
    HeldTitles,
    HoldViews,
    HoldsOfReaderHandler,
    HoldQueries,
    HeldAfterReturnHandler,
    PlaceOfHoldHandler,
    HoldQueuesQueries,
    HoldCountsHandler,
    HoldFiguresHandler,
  ],
})
export class BorrowingModule {}
