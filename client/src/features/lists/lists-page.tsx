import Link2 from 'lucide-react/icons/link-2';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { fetchOwnLists, type OwnList } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import pageStyles from '../../domain/lists/lists.module.css';
import { useAddOwnList, useOwnLists } from '../../domain/lists/own-lists.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { classNames } from '../../lib/class-names.js';
import { sendForFile } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { saveFile } from '../../lib/save-file.js';

/** The lists that a reader keeps for themselves. */
export function ListsPage() {
  usePageTitle(m.lists_title());
  const lists = useOwnLists();
  const save = useAddOwnList();
  const [isNaming, setNaming] = useState(false);
  return (
    <div className={classNames(pageStyles.page, pageStyles.wide)}>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex flex-[1_1_18rem] flex-col gap-2 min-w-0">
          <h1 className="leading-[1.12] wrap-anywhere">{m.lists_title()}</h1>
          <p className="quiet">{m.lists_lead()}</p>
        </div>
        <Button
          look="primary"
          onClick={() => {
            save.reset();
            setNaming(true);
          }}
        >
          {m.lists_new()}
        </Button>
      </header>
      <Loaded of={lists} waiting={<SkeletonLines label={m.lists_loading()} widths={[60, 45, 55]} />}>
        {(data) => (
          <ul role="list" className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-4">
            {data.map((list) => (
              <li key={list.id}>
                <ListCard list={list} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {lists.data && <TakeAlong />}
      {isNaming && (
        <ListDialog
          title={m.lists_new()}
          action={m.lists_create()}
          busy={save.isPending}
          error={save.error}
          onSave={({ name, description }) =>
            save.mutate(
              { body: { name, description } },
              {
                onSuccess: (list) => {
                  notify.success(m.lists_made({ name: list.name }));
                  setNaming(false);
                },
              },
            )
          }
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}

function ListCard({ list }: { list: OwnList }) {
  return (
    <article
      className={classNames(
        'group/card relative flex items-center gap-4 h-full p-4 border border-line rounded',
        'bg-surface [transition:border-color_var(--quick),box-shadow_var(--quick)]',
        'hover:border-line-strong hover:shadow-lift',
      )}
      data-list={list.standing ?? list.name}
    >
      <span
        // Room for three covers, one over the other.
        className="flex flex-none w-25"
        aria-hidden="true"
      >
        {list.firstBooks.map((bookId) => (
          <SmallCover
            key={bookId}
            bookId={bookId}
            title=""
            className="flex-none w-13 aspect-2/3 [&+&]:-ml-7 [&+&]:[box-shadow:-1px_0_0_var(--surface)]"
          />
        ))}
        {list.firstBooks.length === 0 && (
          <span className="flex-none w-13 aspect-2/3 border border-dashed border-line-strong [border-radius:2px_4px_4px_2px]" />
        )}
      </span>
      <div className="min-w-0">
        <h2 className="text-3 leading-[1.2] wrap-anywhere">
          <Link
            to={`/lists/${list.id}`}
            // The whole card opens the list.
            className="text-inherit no-underline after:content-[''] after:absolute after:inset-0 group-hover/card:underline"
          >
            {list.name}
          </Link>
        </h2>
        <p
          // Beside the number where there is room, below it where there is not.
          className="text-ink-soft text-1 tabular-nums flex flex-wrap gap-x-3 gap-y-0"
        >
          {m.lists_books({ count: list.books })}
          {list.isShared && (
            <span className="text-accent-text [&_svg]:mr-1 [&_svg]:[vertical-align:-2px]">
              <Link2 size={14} aria-hidden="true" />
              {m.lists_shared_by_link()}
            </span>
          )}
        </p>
      </div>
    </article>
  );
}

function TakeAlong() {
  const take = useMutation({
    mutationFn: async (format: 'csv' | 'json') =>
      saveFile(await sendForFile(fetchOwnLists, { query: { format } }), `lists.${format}`),
  });
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-soft text-1">
      {m.lists_download()}
      {(['csv', 'json'] as const).map((format) => (
        <Button
          key={format}
          size="small"
          busy={take.isPending && take.variables === format}
          onClick={() => take.mutate(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </p>
  );
}
