import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { OwnList } from '#contracts/lists/reading-lists.js';
import { Button } from '../../components/button.js';
import { ErrorState } from '../../components/error-state.js';
import { SkeletonLines } from '../../components/skeleton.js';
import { SmallCover } from '../../domain/covers/small-cover.js';
import { ListDialog } from '../../domain/lists/list-dialog.js';
import { booksWords } from '../../domain/lists/list-words.js';
import pageStyles from '../../domain/lists/lists.module.css';
import { useOwnLists, useSaveOwnList } from '../../domain/lists/own-lists.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { classNames } from '../../lib/class-names.js';
import { notify } from '../../lib/notify.js';
import styles from './lists-page.module.css';
import { useTakeListsAlong } from './take-lists-along.js';

/** The lists that a reader keeps for himself. */
export function ListsPage() {
  usePageTitle('My lists');
  const lists = useOwnLists();
  const save = useSaveOwnList();
  const [isNaming, setNaming] = useState(false);
  return (
    <div className={classNames(pageStyles.page, pageStyles.wide)}>
      <header className={pageStyles.head}>
        <div className={pageStyles.names}>
          <h1 className={pageStyles.title}>My lists</h1>
          <p className="quiet">
            Books to come back to. Nobody else sees a list unless you share it by a link.
          </p>
        </div>
        <Button
          look="primary"
          onClick={() => {
            save.reset();
            setNaming(true);
          }}
        >
          New list
        </Button>
      </header>
      {lists.data ? (
        <ul role="list" className={styles.lists}>
          {lists.data.map((list) => (
            <li key={list.id}>
              <ListCard list={list} />
            </li>
          ))}
        </ul>
      ) : lists.isError ? (
        <ErrorState error={lists.error} onRetry={() => void lists.refetch()} retrying={lists.isFetching} />
      ) : (
        <SkeletonLines label="Loading your lists" widths={[60, 45, 55]} />
      )}
      {lists.data && <TakeAlong />}
      {isNaming && (
        <ListDialog
          title="New list"
          action="Make it"
          busy={save.isPending}
          error={save.error}
          onSave={({ name, description }) =>
            save.mutate(
              { id: null, body: { name, description } },
              {
                onSuccess: (list) => {
                  notify.success(`The list “${list.name}” is there`);
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
    <article className={styles.card} data-list={list.standing ?? list.name}>
      <span className={styles.covers} aria-hidden="true">
        {list.firstBooks.map((bookId) => (
          <SmallCover key={bookId} bookId={bookId} title="" className={styles.cover} />
        ))}
        {list.firstBooks.length === 0 && <span className={styles.noCover} />}
      </span>
      <div className={styles.words}>
        <h2 className={styles.name}>
          <Link to={`/lists/${list.id}`} className={styles.open}>
            {list.name}
          </Link>
        </h2>
        <p className={classNames(pageStyles.count, styles.count)}>
          {booksWords(list.books)}
          {list.isShared && (
            <span className={styles.shared}>
              <Link2 size={14} aria-hidden="true" />
              Shared by a link
            </span>
          )}
        </p>
      </div>
    </article>
  );
}

function TakeAlong() {
  const take = useTakeListsAlong();
  return (
    <p className={pageStyles.taken}>
      Take all your lists along:
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
