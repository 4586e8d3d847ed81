import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { LIST_PAGE_SIZE, shownListSchema } from '#contracts/lists/reading-lists.js';
import { ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { useListPages } from '../../domain/lists/list-pages.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { ShownList } from './shown-list.js';

/** A list that a reader shows by a link: to whoever has it, signed in or not. */
export function SharedListPage() {
  const { token = '' } = useParams();
  const address = useListPages();
  const page = address[0].pageNumber;
  const list = useQuery({
    queryKey: queryKeys.sharedList(token, page),
    // In the body, where no log on the way sees it.
    queryFn: ({ signal }) =>
      request(shownListSchema, 'List/shared', {
        method: 'POST',
        body: { token, pageNumber: page, pageSize: LIST_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
  return (
    <ShownList
      list={list}
      address={address}
      kind="A reader’s list"
      gone={
        <EmptyState
          page
          title="This link leads to no list"
          action={<ButtonLink to="/catalog">Browse the catalogue</ButtonLink>}
        >
          It may have been cut off when it was copied, or whoever sent it has ended it since.
        </EmptyState>
      }
    />
  );
}
