import { lazy, Suspense, useEffect } from 'react';
import { whenIdle } from '../../../lib/when-idle.js';
import { useShownBorrow } from '../borrow-link.js';

const load = () => import('./borrow-drawer.js');
const BorrowDrawer = lazy(async () => ({ default: (await load()).BorrowDrawer }));

/** Shows the borrow that the address names over whatever screen there is. Its code comes once the screen is there. */
export function BorrowDrawerHost() {
  const id = useShownBorrow();
  useEffect(
    () =>
      whenIdle(() => {
        load().catch((error: unknown) => window.reportError?.(error));
      }),
    [],
  );
  if (id === null) return null;
  return (
    <Suspense fallback={null}>
      <BorrowDrawer key={id} id={id} />
    </Suspense>
  );
}
