import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';

export function NotFoundPage() {
  usePageTitle(m.failures_not_found());
  return (
    <EmptyState
      page
      title={m.failures_not_on_shelves()}
      action={<ButtonLink to="/catalog">{m.failures_to_catalogue()}</ButtonLink>}
    >
      {m.failures_no_page()}
    </EmptyState>
  );
}
