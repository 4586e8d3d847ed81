import type { ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { ButtonLink } from '../components/form/button.js';
import { useUser } from '../lib/session.js';
import { mayEnter } from './staff-pages.js';

type Leading<Props> = Omit<Props, 'to'> & { to: string };

/** A link to a page of staff; its words alone for who may not see that page. */
export function StaffLink({ to, ...link }: Leading<ComponentProps<typeof Link>>) {
  return mayEnter(to, useUser()) ? <Link {...link} to={to} /> : link.children;
}

/** The same as a button, which is not there for who may not see the page. */
export function StaffButtonLink({ to, ...link }: Leading<ComponentProps<typeof ButtonLink>>) {
  return mayEnter(to, useUser()) ? <ButtonLink {...link} to={to} /> : null;
}
