import { Link, useLocation } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import { Button } from '../../components/form/button.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { cart, useCart } from '../../domain/cart.js';
import { notify } from '../../lib/notify.js';
import { useUser } from '../../lib/session.js';

/** Puts the book in the cart. Renting requires a login (specification, section 6). */
export function RentThisBook({ book }: { book: Book }) {
  const user = useUser();
  const inCart = useCart().some(({ id }) => id === book.id);
  const isNone = book.copiesAvailable === 0;
  if (book.kind === 'reading-room')
    return <p className="note">You can read this book in the library. It is not lent.</p>;
  const put = () => {
    if (!cart.add(book)) notify.warning('You already have this book in your cart');
  };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 to-720:[&>button]:w-full">
      <Button look={inCart || isNone ? 'quiet' : 'primary'} disabled={!user} onClick={put}>
        Rent this book
      </Button>
      <p className="note" role="status">
        <Hint guest={!user} inCart={inCart} none={isNone} />
      </p>
    </div>
  );
}

function Hint({ guest, inCart, none }: { guest: boolean; inCart: boolean; none: boolean }) {
  const { pathname } = useLocation();
  const state: LoginState = { from: pathname };
  if (guest) {
    return (
      <>
        <Link to="/login" state={state}>
          Log in
        </Link>{' '}
        or <Link to="/register">register</Link> to rent books.
      </>
    );
  }
  if (inCart) {
    return (
      <>
        In your cart. <Link to="/cart">Go to your cart</Link> to rent it.
      </>
    );
  }
  if (none) return <>Every copy is lent just now.</>;
  return null;
}
