import { Inject, Injectable } from '@nestjs/common';
import type {
  Candidate,
  CompareQuery,
  Duplicate,
  DuplicatePage,
  DuplicateQuery,
} from '#contracts/catalogue/duplicate.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { candidatesOf } from './candidates.js';
import { pairsAmong } from './distinct-pairs.js';
import { proposalsAfter, type Proposal } from './proposals.js';

/** Batches that are looked through for one page: where nearly all were found not to be the same, the next page goes on. */
const MAX_BATCHES = 10;

/** As many as fit, and those with the place of the last one. */
function pageOf(proposals: readonly Proposal[], room: number): readonly Proposal[] {
  const last = proposals[room - 1];
  const end = last ? proposals.findLastIndex(({ at }) => at === last.at) + 1 : proposals.length;
  return proposals.slice(0, end);
}

@Injectable()
export class DuplicateQueries {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** `GET Duplicate`: what may be the same, a page at a time. */
  async findDuplicates({ Kind, After = '', pageSize }: DuplicateQuery): Promise<DuplicatePage> {
    const found: Proposal[] = [];
    let next: string | undefined = After;
    for (let batch = 0; batch < MAX_BATCHES && next !== undefined && found.length < pageSize; batch += 1) {
      const read = await proposalsAfter(this.database, Kind, next);
      const open = await this.withoutDistinct(Kind, read.proposals);
      const fits = pageOf(open, pageSize - found.length);
      found.push(...fits);
      // A place is never split: what has the same one comes together.
      next = fits.length < open.length ? fits.at(-1)?.at : read.next;
    }
    const candidates = await candidatesOf(this.database, Kind, [...new Set(found.flatMap(({ ids }) => ids))]);
    const byId = new Map(candidates.map((candidate) => [candidate.id, candidate]));
    const items = found
      .map(({ reason, sure, ids }): Duplicate => ({
        ...{ reason, sure },
        members: ids.flatMap((id) => byId.get(id) ?? []),
      }))
      // One was deleted or merged between the two statements.
      .filter(({ members }) => members.length > 1);
    return { items, next: next ?? null };
  }

  /** Leaves out whoever is another one than all the others. */
  private async withoutDistinct(kind: MergeKind, proposals: readonly Proposal[]): Promise<Proposal[]> {
    const pairs = await pairsAmong(
      this.database,
      kind,
      proposals.flatMap(({ ids }) => ids),
    );
    const apart = new Set(pairs.map(({ one, other }) => `${one} ${other}`));
    const isOpen = (a: number, b: number) => !apart.has(`${Math.min(a, b)} ${Math.max(a, b)}`);
    return proposals
      .map((proposal) => ({
        ...proposal,
        ids: proposal.ids.filter((id) =>
          proposal.ids.some((another) => another !== id && isOpen(id, another)),
        ),
      }))
      .filter(({ ids }) => ids.length > 1);
  }

  /** `GET Duplicate/compare`: some side by side. */
  compareCandidates({ Kind, ids }: CompareQuery): Promise<Candidate[]> {
    return candidatesOf(this.database, Kind, ids);
  }
}
