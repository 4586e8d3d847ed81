import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { readLibraryList } from '#contracts/lists/library-lists.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { ButtonLink } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { useListPages } from '../../domain/lists/list-pages.js';
import { ShareButton } from '../../domain/share-button.js';
import { queryOf } from '../../lib/api/send.js';
import { ShownList } from './shown-list.js';

/** A list of the library's, for everybody. */
export function ShelfPage() {
  const { id = '' } = useParams();
  const address = useListPages();
  const { pageNumber } = address[0];
  const list = useQuery({
    ...queryOf(readLibraryList, { params: { id }, query: { pageNumber, pageSize: LIST_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
  return (
    <ShownList
      list={list}
      address={address}
      kind={m.lists_of_library()}
      action={
        list.data && (
          <p className="-ml-3 text-ink-soft">
            <ShareButton kind="list" id={id} title={list.data.name} />
          </p>
        )
      }
      gone={
        <EmptyState
          page
          title={m.lists_gone()}
          action={<ButtonLink to="/catalog">{m.lists_browse()}</ButtonLink>}
        >
          {m.lists_gone_lead()}
        </EmptyState>
      }
    />
  );
}
