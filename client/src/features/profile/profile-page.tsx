import * as m from '#words/messages.js';
import { lazy, Suspense } from 'react';
import { Navigate } from 'react-router-dom';
import { ButtonLink } from '../../components/form/button.js';
import { useUser } from '../../lib/session.js';
import { titleCase } from '../../lib/texts.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { ReaderCard } from './reader-card.js';

// On its way with the page; what is around it is drawn meanwhile.
const loading = import('./own-card.js');
const OwnCardSection = lazy(async () => ({ default: (await loading).OwnCardSection }));
const loadingHistory = import('./borrow-history.js');
const BorrowHistory = lazy(async () => ({ default: (await loadingHistory).BorrowHistory }));

export function ProfilePage() {
  usePageTitle(m.profile_title());
  const user = useUser();
  if (!user) return <Navigate to="/login" replace />;
  return (
    <div className="flex flex-col gap-10 w-full max-w-page mx-auto p-gutter pt-10 pb-16">
      <section className="flex flex-wrap items-center justify-between gap-4 phone:[&>a]:w-full">
        <div>
          <h1>{m.profile_welcome({ name: titleCase(user.username) })}</h1>
          <p className="mt-2 text-ink-soft">{m.profile_lead()}</p>
        </div>
        <ButtonLink to="/catalog" look="primary">
          {m.common_browse_books()}
        </ButtonLink>
      </section>
      <div
        // Kept until the data is there too, not only the code.
        className="min-h-80 to-960:min-h-118"
      >
        <Suspense fallback={null}>
          <OwnCardSection />
        </Suspense>
      </div>
      <ReaderCard />
      <Suspense fallback={null}>
        <BorrowHistory readerId={user.id} />
      </Suspense>
    </div>
  );
}
