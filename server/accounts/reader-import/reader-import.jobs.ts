import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import { TakeOverLoan } from '../../borrowing/take-over-loan.commands.js';
import { inviteNext, ROUNDS_AN_HOUR } from './reader-import.commands.js';
import { forgetReaderRows } from './reader-imports.js';
import { runReaderImport } from './run-readers.js';

const HOUR = 3_600_000;

/** Does imports of readers, and what follows of them. One whose process ends goes on where it was, by the queue's next worker. */
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
    this.jobs.handle('imports', 'readers', async ({ importId }, context) => {
      const onProgress = (_rows: number, part: number) => void context.reportProgress(Math.floor(part * 100));
      const takeOver = (loan: Pick<TakeOverLoan, 'loan' | 'context'>) =>
        this.commands.execute(new TakeOverLoan(loan));
      const isDone = await runReaderImport(this.database, importId, takeOver, { signal, onProgress });
      if (!isDone) throw new Error('The process ends; the import goes on later.');
    });
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
