import { Injectable } from '@nestjs/common';
import { LibraryFacts } from '#platform/library-facts.js';
import { Clock } from '#platform/clock.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { exportLines } from './history-chain.js';
import { recordedPart } from './recorded-part.js';

/** A reader's history as a file that can be verified. */
@Injectable()
export class HistoryExport {
  constructor(
    private readonly log: EventLog,
    private readonly clock: Clock,
    private readonly library: LibraryFacts,
  ) {}

  /**
   * The lines of the file, with every event in the log at this moment.
   * @throws DomainError EventStoreUnavailable, before the first line
   */
  async lines(readerId: string): Promise<AsyncGenerator<string>> {
    const [first] = await this.log.readRecorded('borrows', readerId, 0n, 1);
    const from = Number(first?.revision ?? 0n);
    const to = Number(await this.log.lastRevision('borrows', readerId));
    const part = {
      library: this.library.name,
      readerId,
      from,
      to,
      exportedAt: this.clock.now(),
    };
    return exportLines(part, recordedPart(this.log, readerId, from, to));
  }
}
