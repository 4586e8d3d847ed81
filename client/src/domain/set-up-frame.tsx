import * as m from '#words/messages.js';
import type { ReactNode } from 'react';
import { FormCard } from '../components/form/form-card.js';
import { Steps } from '../components/form/steps.js';
import { usePageTitle } from './use-page-title.js';

/** The steps of the set-up that have a page of their own. */
export const SET_UP = { library: '/set-up', hours: '/set-up/hours', books: '/set-up/books' } as const;

const TITLES = [m.set_up_library(), m.set_up_admin(), m.set_up_hours(), m.set_up_books()];

/** One step of the set-up. @param step from 0 */
export function SetUpFrame({ step, children }: { step: number; children: ReactNode }) {
  usePageTitle(m.set_up_title());
  return (
    <FormCard title={m.set_up_title()} wide={step === 2}>
      <Steps titles={TITLES} current={step} />
      {children}
    </FormCard>
  );
}
