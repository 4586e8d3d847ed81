import { Inject, Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { DATABASE } from '#platform/tokens.js';
import { MARC_IMPORTS } from './marc-imports.js';
import { runMarcImport } from './run-marc.js';
import { undoMarcImport } from './undo-marc.js';

/** Does imports and undoes them, one at a time. */
@Injectable()
class MarcImportJobs implements OnModuleInit, OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { signal } = this.closing;
    MARC_IMPORTS.handle(this.jobs, 'run', signal, (...work) => runMarcImport(this.database, ...work));
    MARC_IMPORTS.handle(this.jobs, 'undo', signal, (...work) => undoMarcImport(this.database, ...work));
  }

  onModuleDestroy(): void {
    this.closing.abort();
  }
}

/** Needs `JobsModule`. */
@Module({ providers: [MarcImportJobs] })
export class MarcImportJobsModule {}
