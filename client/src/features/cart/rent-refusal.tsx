import { Notice } from '../../components/notice.js';
import { PayFeeButton } from '../../domain/fees/pay-fee-button.js';
import { inPln } from '../../domain/fees/money.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';
import { RequestError, sentenceOf } from '../../lib/api/request-error.js';
import { useUser } from '../../lib/session.js';
import { isoDay } from '../../lib/dates.js';
import styles from './cart-page.module.css';

/** Refusals that a person can do something about, here. Others are shown as those of any call are. */
const SHOWN_HERE = [
  'CopiesUnavailable',
  'BookNotFound',
  'BookAlreadyBorrowed',
  'TooManyBooks',
  'FeeNotPaid',
  'ReaderBlocked',
];

const codeOf = (error: unknown) => (error instanceof RequestError ? error.problem?.code : undefined);

export function isShownInCart(error: unknown): boolean {
  return SHOWN_HERE.includes(codeOf(error) ?? '');
}

/** Why nothing was rented, with the way on. */
export function RentRefusal({ error }: { error: unknown }) {
  if (!isShownInCart(error)) return null;
  if (codeOf(error) === 'FeeNotPaid') return <FeesInTheWay />;
  return <Notice>{sentenceOf(error)}</Notice>;
}

function FeesInTheWay() {
  const own = useOwnCard(useUser()?.id ?? '');
  const owed = own.data?.borrows.filter(({ borrow }) => borrow.fineDue > 0) ?? [];
  return (
    <>
      <Notice>
        {owed.length === 1 ? 'A fee stands' : 'Fees stand'} in the way: once{' '}
        {owed.length === 1 ? 'it is' : 'they are'} paid, you can rent again. Your cart stays as it is.
      </Notice>
      <ul role="list">
        {owed.map(({ borrow }) => (
          <li key={borrow.id} className={styles.fee} data-fee={borrow.id}>
            <p>
              <strong>{inPln(borrow.fineDue)}</strong> for{' '}
              {borrow.borrowedBooks.map(({ title }) => `“${title}”`).join(', ')}
              {borrow.dueDate !== null && `, due on ${isoDay(borrow.dueDate)}`}
            </p>
            <PayFeeButton borrow={borrow} />
          </li>
        ))}
      </ul>
    </>
  );
}
