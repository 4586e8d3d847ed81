import { Controller, Inject } from '@nestjs/common';
import * as calls from '#contracts/catalogue/duplicate.js';
import type { Candidate, DistinctPair, DuplicatePage } from '#contracts/catalogue/duplicate.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { Serves, type Asked } from '../../http/serves.js';
import { markDistinct, allowProposal, pagePairs } from './distinct-pairs.js';
import { DuplicateQueries } from './duplicate.queries.js';

/** What of the catalogue may be there twice, and what was found not to be. */
@Controller()
export class DuplicateController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly duplicateQueries: DuplicateQueries,
  ) {}

  @Serves(calls.findDuplicates)
  find({ query }: Asked<typeof calls.findDuplicates>): Promise<DuplicatePage> {
    return this.duplicateQueries.findDuplicates(query);
  }

  @Serves(calls.compareCandidates)
  compare({ query }: Asked<typeof calls.compareCandidates>): Promise<Candidate[]> {
    return this.duplicateQueries.compareCandidates(query);
  }

  @Serves(calls.listDistinctPairs)
  pairs({
    query: { pageNumber, pageSize },
  }: Asked<typeof calls.listDistinctPairs>): Promise<Paged<DistinctPair>> {
    return pagePairs(this.database, pageSize, (pageNumber - 1) * pageSize);
  }

  @Serves(calls.markDistinct)
  async markDistinct({
    caller,
    body: { kind, ids },
  }: Asked<typeof calls.markDistinct>): Promise<{ pairs: number }> {
    return { pairs: await markDistinct(this.database, kind, ids, caller.accountId, this.clock.now()) };
  }

  @Serves(calls.allowProposal)
  async takeBack({
    query: { Kind, one, other },
  }: Asked<typeof calls.allowProposal>): Promise<{ pairs: number }> {
    await allowProposal(this.database, Kind, one, other);
    return { pairs: 1 };
  }
}
