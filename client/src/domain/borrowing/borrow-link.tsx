import type { ComponentProps } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { readBorrow } from '#contracts/borrowing/borrow-calls.js';
import { useMay } from '../../lib/session.js';
import { appNavigation } from '../../lib/app-navigation.js';

/** The borrow that is open beside whatever screen the address names: it can be shared, and Back closes it. */
const PARAMETER = 'borrow';

/** It was opened here: closing it is going back. */
interface Opened {
  borrowOpened: true;
  /** With the payment of its fee begun. */
  pay?: true;
}
const OPENED: Opened = { borrowOpened: true };

/** The id of the borrow that the address opens. */
export function useShownBorrow(): string | null {
  const { search } = useLocation();
  return new URLSearchParams(search).get(PARAMETER);
}

/** The address of the present screen with this borrow open, or with none. */
function searchWith(search: string, id: string | null): string {
  const parameters = new URLSearchParams(search);
  if (id === null) parameters.delete(PARAMETER);
  else parameters.set(PARAMETER, id);
  return `?${parameters}`;
}

interface BorrowLinkProps extends Omit<ComponentProps<typeof Link>, 'to' | 'state'> {
  id: string;
}

/** Opens a borrow over the present screen; its words alone for who may not see it. */
export function BorrowLink({ id, ...rest }: BorrowLinkProps) {
  const { search } = useLocation();
  if (!useMay(readBorrow)) return rest.children;
  return <Link {...rest} to={searchWith(search, id)} state={OPENED} preventScrollReset />;
}

/** Opens a borrow over the present screen; to take a payment, if that is said. */
export function useOpenBorrow(): (id: string, options?: { pay?: boolean }) => void {
  const navigate = useNavigate();
  return (id, { pay = false } = {}) => {
    const [, search = ''] = appNavigation.here().split('?');
    const state: Opened = pay ? { ...OPENED, pay } : OPENED;
    void navigate(searchWith(search, id), { state, preventScrollReset: true });
  };
}

/** Whether the borrow was opened to take a payment. */
export function useOpenedToPay(): boolean {
  const opened = useLocation().state as Partial<Opened> | null;
  return opened?.pay ?? false;
}

/** Closes the open borrow, as the browser's Back does where it was opened from here. */
export function useCloseBorrow(): () => void {
  const navigate = useNavigate();
  const location = useLocation();
  const opened = location.state as Partial<Opened> | null;
  return () => {
    if (opened?.borrowOpened) void navigate(-1);
    else void navigate(searchWith(location.search, null), { replace: true, preventScrollReset: true });
  };
}
