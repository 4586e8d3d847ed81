import { ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';

export function NotFoundPage() {
  usePageTitle('Not found');
  return (
    <EmptyState
      page
      title="This is not on our shelves"
      action={<ButtonLink to="/catalog">To the catalogue</ButtonLink>}
    >
      This page does not exist, or no longer does.
    </EmptyState>
  );
}
