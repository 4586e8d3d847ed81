import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import { TakeOverLoan } from '../../borrowing/take-over-loan.commands.js';
import { inviteNext, ROUNDS_AN_HOUR } from './reader-import.commands.js';
import { forgetReaderRows, READER_IMPORTS } from './reader-imports.js';
import { runReaderImport } from './run-readers.js';

const HOUR = 3_600_000;

/** Does imports of readers, and what follows of them. */
@Injectable()
class ReaderImportJobs implements OnModuleInit, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly jobs: Jobs,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { signal } = this.closing;
    const takeOver = (loan: Pick<TakeOverLoan, 'loan' | 'context'>) =>
      this.commands.execute(new TakeOverLoan(loan));
    READER_IMPORTS.handle(this.jobs, 'readers', signal, (importId, options) =>
      runReaderImport(this.database, importId, takeOver, options),
    );
    this.jobs.repeat('upkeep', 'invite-readers', HOUR / ROUNDS_AN_HOUR, () =>
      inviteNext(this.database, this.clock.now()),
    );
    this.jobs.repeat('upkeep', 'forget-reader-rows', HOUR, () => forgetReaderRows(this.database));
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}

/** Needs `JobsModule`, and who takes loans over. */
@Module({ imports: [CqrsModule], providers: [ReaderImportJobs] })
export class ReaderImportJobsModule {}
