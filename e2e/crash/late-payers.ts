import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { makeAccount } from '../../test-support/product/product.js';
import { FeePayer } from './fee-payer.js';
import { lendAt, withStreams, type SiteWithPast } from './old-loans.js';
import type { Random } from './random.js';

/**
 * Readers with a book that is late, which nobody has charged yet.
 * @param lateBy milliseconds since the book had been out for as long as it may
 */
export function latePayers(
  site: SiteWithPast,
  count: number,
  lateBy: number,
  random: Random,
): Promise<FeePayer[]> {
  return withStreams(site, async (streams) => {
    const payers: FeePayer[] = [];
    for (let number = 0; number < count; number += 1) {
      const person = await makeAccount(site);
      const issuedAt = Date.now() - BORROW_POLICY.loanDays * 24 * 3_600_000 - lateBy;
      const borrowId = await lendAt(site, streams, person, `Book ${number}`, issuedAt);
      payers.push(new FeePayer(person, borrowId, random));
    }
    return payers;
  });
}
