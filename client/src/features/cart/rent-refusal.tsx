import { lazy, Suspense } from 'react';
import { Notice } from '../../components/dialog/notice.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';

const UnpaidFees = lazy(async () => ({ default: (await import('./unpaid-fees.js')).UnpaidFees }));

/** Refusals that a person can do something about, here. Others are shown as those of any call are. */
const SHOWN_HERE = [
  'CopiesUnavailable',
  'BookNotFound',
  'BookAlreadyBorrowed',
  'TooManyBooks',
  'ReadingRoomOnly',
  'FeeNotPaid',
  'ReaderBlocked',
];

const codeOf = (error: unknown) => (error instanceof RequestError ? error.problem?.code : undefined);

export function isShownInCart(error: unknown): boolean {
  return SHOWN_HERE.includes(codeOf(error) ?? '');
}

/** Whether something has to be paid before anything else. */
export function isUnpaid(error: unknown): boolean {
  return codeOf(error) === 'FeeNotPaid';
}

/** Why nothing was rented, with the way on. */
export function RentRefusal({ error }: { error: unknown }) {
  if (!isShownInCart(error)) return null;
  if (!isUnpaid(error)) return <Notice>{sentenceOf(error)}</Notice>;
  return (
    <Suspense fallback={null}>
      <UnpaidFees />
    </Suspense>
  );
}
