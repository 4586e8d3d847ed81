import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { LIST_PAGE_SIZE, openSharedList } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { useListPages } from '../../domain/lists/list-pages.js';
import { keyOf, send } from '../../lib/api/send.js';
import { ShownList } from './shown-list.js';

/** A list that a reader shows by a link: to whoever has it, signed in or not. */
export function SharedListPage() {
  const { token = '' } = useParams();
  const address = useListPages();
  const { pageNumber } = address[0];
  const list = useQuery({
    queryKey: [...keyOf(openSharedList), token, pageNumber],
    queryFn: ({ signal }) =>
      send(openSharedList, { body: { token, pageNumber, pageSize: LIST_PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
  return (
    <ShownList
      list={list}
      address={address}
      kind={m.lists_of_reader()}
      gone={
        <EmptyState
          page
          title={m.lists_link_broken()}
          action={<ButtonLink to="/catalog">{m.lists_browse()}</ButtonLink>}
        >
          {m.lists_link_broken_lead()}
        </EmptyState>
      }
    />
  );
}
