import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import { runMarcImport } from './run-marc.js';
import { undoMarcImport } from './undo-marc.js';

/** Does imports and undoes them, one at a time. One whose process ends goes on where it was, by the queue's next worker. */
@Injectable()
class MarcImportJobs implements OnModuleInit, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { signal } = this.closing;
    const work = { run: runMarcImport, undo: undoMarcImport };
    for (const name of ['run', 'undo'] as const) {
      this.jobs.handle('imports', name, async ({ importId }, context) => {
        const onProgress = (_rows: number, part: number) =>
          void context.reportProgress(Math.floor(part * 100));
        const isDone = await work[name](this.database, importId, { signal, onProgress });
        if (!isDone) throw new Error('The process ends; the import goes on later.');
      });
    }
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}

/** Needs `JobsModule`. */
@Module({ providers: [MarcImportJobs] })
export class MarcImportJobsModule {}
