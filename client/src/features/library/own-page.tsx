import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { readLibraryPage, type LibraryPage } from '#contracts/library/library-facts.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { LIBRARY_PAGE_NAMES } from '../../domain/library.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf } from '../../lib/api/send.js';
import styles from './own-page.module.css';

export const ImprintPage = () => <OwnPage page="imprint" />;
export const PrivacyPage = () => <OwnPage page="privacy" />;

/** A page of the library's own. */
function OwnPage({ page }: { page: LibraryPage }) {
  const title = LIBRARY_PAGE_NAMES[page];
  usePageTitle(title);
  const text = useQuery(queryOf(readLibraryPage, { params: { page } }));
  return (
    <div className="w-full max-w-page mx-auto p-gutter pt-8 pb-16">
      <article className="max-w-measure">
        <h1 className="mb-6">{title}</h1>
        <Loaded
          of={text}
          waiting={<SkeletonLines label={m.library_page_loading()} widths={[80, 90, 60, 70]} />}
        >
          {/* Made by the server of Markdown; HTML in it is text. */}
          {({ html }) => <div className={styles.text} dangerouslySetInnerHTML={{ __html: html }} />}
        </Loaded>
      </article>
    </div>
  );
}
