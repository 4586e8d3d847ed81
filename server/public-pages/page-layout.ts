import { authorNames } from '#contracts/catalogue/book-facts.js';
import type { Book, BookListItem } from '#contracts/catalogue/book-views.js';
import { languageNames } from '#contracts/catalogue/language.js';
import { LANGUAGES } from '#contracts/languages.js';
import { publicAddress } from '#contracts/public-address.js';
import { currentLanguage } from '#platform/language.js';
import type { LibraryFacts } from '#platform/library-facts.js';
import { markup, Markup } from '#platform/markup.js';
import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ReadablePage } from '../http/site.js';

/*
 * Pages without scripts in the look of the site: their classes are its utilities, and its sheet is made with these files in view.
 * What is largest on a page stands where the site puts it and is as large at least, as it is what a person sees first: browsers
 * take whatever is larger for the page that was waited for. Its lines are full, so that no other font makes it larger.
 */

const LARGEST = 'text-justify';

/** A page, with what stands above and below every one. @param address its own, for the other languages */
export function pageLayout(library: LibraryFacts, address: string, content: Markup): Markup {
  const { logo } = library.all;
  const inLanguage = (language: string) => `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;
  const others = LANGUAGES.filter((language) => language !== currentLanguage());
  return markup`<div id="public">
<header class="border-b border-line bg-paper"><div class="flex flex-wrap items-center gap-x-6 w-full max-w-page min-h-15 mx-auto px-gutter">
<a href="/" class="inline-flex items-center gap-3 min-h-11 text-ink font-serif text-3 font-strong tracking-[-0.01em] leading-[1.1] no-underline">${
    logo !== null && markup`<img src="/api/Library/logo/${logo}" alt="" class="h-9 w-auto max-w-36">`
  }${library.name}</a>
<nav aria-label="${m.site_main()}" class="flex flex-wrap gap-x-5">${link('/', m.site_home())}${link('/#/catalog', m.common_catalog_link(), 'noscript:hidden')}</nav>
</div></header>
<main>${content}</main>
<footer class="border-t border-line bg-sunk"><div class="w-full max-w-page mx-auto p-gutter pt-8 pb-10">
<h2>${library.name}</h2>
<p class="mt-2 max-w-80 text-1 whitespace-pre-line">${library.contact || m.site_contact_usual()}</p>
<p class="flex flex-wrap gap-x-5 mt-2 text-1">${others.map((language) => markup`<a href="${inLanguage(language)}" hreflang="${language}" lang="${language}" class="${LINK}">${languageNames(language)(language)}</a>`)}</p>
</div></footer>
</div>`;
}

const LINK = 'inline-flex items-center min-h-11 text-accent-text';

function link(address: string, text: string, more = ''): Markup {
  return markup`<a href="${address}" class="${LINK} ${more}">${text}</a>`;
}

/** The heading and what else a page begins with, where it is no book's. */
export function head(kind: string, title: string, lines: readonly (string | false)[]): Markup {
  return markup`<header class="flex flex-col gap-2"><p class="quiet">${kind}</p><h1 class="leading-[1.12] wrap-anywhere">${title}</h1>${lines.map(
    (line) =>
      line !== false && markup`<p class="max-w-measure wrap-anywhere whitespace-pre-line">${line}</p>`,
  )}</header>`;
}

/** What the library's first page begins with. */
export function welcome(): Markup {
  const lead = m.home_lead
    .parts()
    .map((part) => (part.type === 'text' ? part.value : part.type === 'markup-start' ? INTO_CATALOGUE : END));
  return markup`<section class="grid grid-cols-[minmax(0,6fr)_minmax(0,7fr)] items-end gap-x-[clamp(var(--space-5),5vw,var(--space-7))] gap-y-5 to-860:grid-cols-1"><h1 class="text-5 leading-[1.02] tracking-[-0.025em]">${m.home_welcome()}</h1><p class="text-ink-soft ${LARGEST}">${lead}</p></section>`;
}
const INTO_CATALOGUE = new Markup('<a href="/#/catalog">');
const END = new Markup('</a>');

/** A page of one column of sections. */
export function sections(...content: readonly (Markup | false)[]): Markup {
  return markup`<div class="flex flex-col gap-6 w-full max-w-page mx-auto p-gutter pt-10 pb-16 to-560:pt-6">${content}</div>`;
}

/** Books with their covers; each leads to its own page. */
export function bookGrid(books: readonly BookListItem[]): Markup {
  return markup`<ul role="list" class="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-10 to-560:grid-cols-2 to-560:gap-x-4 to-560:gap-y-6">${books.map(
    (
      book,
    ) => markup`<li class="relative flex flex-col gap-[2px] min-w-0">${cover(book, 'mb-3')}<a href="${publicAddress('book', book)}" class="text-ink font-serif leading-tight wrap-anywhere no-underline hover:underline after:content-[''] after:absolute after:inset-0">${book.title}</a><p class="text-ink-soft text-1 leading-[1.4]">${authorNames(book)}</p></li>
`,
  )}</ul>`;
}

/** The picture, or what stands for it: title and author as a plain binding. */
function cover({ title, authors, photo }: Covered, more: string, isFirst = false): Markup {
  return markup`<span class="block aspect-2/3 rounded bg-accent-wash text-accent-text shadow-lift overflow-hidden ${more}">${
    photo
      ? markup`<img src="${photo.url}" alt="" class="block w-full h-full object-cover [filter:var(--picture-filter)]" ${isFirst ? FIRST : LATER}>`
      : markup`<span class="flex flex-col justify-between gap-2 h-full p-3 border-l-10 border-line font-serif leading-tight" aria-hidden="true"><span class="wrap-anywhere line-clamp-6">${title}</span><span class="text-1 line-clamp-2">${authorNames({ authors })}</span></span>`
  }</span>`;
}
type Covered = Pick<BookListItem, 'title' | 'authors' | 'photo'>;
const FIRST = markup`fetchpriority="high"`;
const LATER = markup`loading="lazy"`;

/** Some books under a heading. @param all the address of all that they are a part of */
export function shelf(title: string, books: readonly BookListItem[], all?: string): Markup | false {
  if (books.length === 0) return false;
  return markup`<section class="flex flex-col gap-3"><div class="flex flex-wrap items-center gap-x-4"><h2 class="flex-1">${title}</h2>${
    all !== undefined && link(all, m.catalogue_see_all(), 'text-1')
  }</div>${bookGrid(books)}</section>`;
}

/** @param facts of a title page, each with its name; those that nobody knows are left out */
export function bookContent(
  book: Book,
  available: string,
  facts: readonly (readonly [string, string | null | undefined])[],
): Markup {
  const authors = book.authors.map(({ id, fullname }, at) => [
    at > 0 && ', ',
    markup`<a href="${publicAddress('author', { id, title: fullname })}" class="text-inherit">${fullname}</a>`,
  ]);
  return markup`<div class="w-full max-w-page mx-auto p-gutter pt-4 pb-16">
<a href="/#/catalog" class="inline-flex items-center min-h-11 text-ink-soft text-1 no-underline">‹ ${m.book_back_to_catalogue()}</a>
<article class="${BOOK}">
${cover(book, '[grid-area:cover] self-start shadow-lift-high', true)}
<header class="[grid-area:head] flex flex-col gap-3 min-w-0 to-720:gap-2 to-720:self-center">
<h1 class="[font-size:clamp(1.5rem,1rem_+_2.4vw,2.75rem)] leading-[1.08] tracking-[-0.02em] wrap-anywhere">${book.title}</h1>
<p class="font-serif text-3 to-720:text-2">${authors}</p>
</header>
<div class="[grid-area:more] flex flex-col gap-6 min-w-0"><p class="font-semibold">${available}</p>${
    book.description !== '' &&
    markup`<p class="max-w-measure font-serif text-[1.125rem] leading-[1.6] whitespace-pre-line ${LARGEST}">${book.description}</p>`
  }</div>
<dl class="[grid-area:facts] grid content-start gap-3 pt-3 border-t border-line to-720:grid-cols-2">${facts.map(
    ([name, value]) => value && markup`<div><dt class="text-1">${name}</dt><dd>${value}</dd></div>`,
  )}</dl>
</article></div>`;
}

const BOOK =
  'grid grid-cols-[minmax(0,17rem)_minmax(0,1fr)] grid-rows-[auto_auto_1fr] gap-y-6 gap-x-[clamp(var(--space-5),5vw,var(--space-7))] pt-4 ' +
  "[grid-template-areas:'cover_head'_'cover_more'_'facts_more'] to-720:grid-cols-[7rem_minmax(0,1fr)] to-720:grid-rows-none " +
  "to-720:[grid-template-areas:'cover_head'_'more_more'_'facts_facts'] to-720:gap-x-4 to-720:pt-0";

/**
 * The address of a page of a list, and what leads to those beside it.
 * @param of the address of the first page
 * @throws DomainError NotFound beyond the last one
 */
export function pagesOf(of: string, page: number, books: number, pageSize: number) {
  const last = Math.max(1, Math.ceil(books / pageSize));
  if (page > last) throw new DomainError('NotFound', m.lists_empty());
  const addressOf = (each: number) => (each === 1 ? of : `${of}?page=${each}`);
  const turns = [
    { rel: 'prev', to: page - 1, text: m.list_previous() },
    { rel: 'next', to: page + 1, text: m.list_next() },
  ].filter(({ to }) => to >= 1 && to <= last);
  return {
    address: addressOf(page),
    links: turns.map(({ rel, to }): ReadablePage['links'][number] => ({ rel, href: addressOf(to) })),
    turns:
      turns.length > 0 &&
      markup`<nav class="flex flex-wrap gap-x-6" aria-label="${m.lists_pages()}">${turns.map(
        ({ rel, to, text }) => markup`<a href="${addressOf(to)}" rel="${rel}" class="${LINK}">${text}</a>`,
      )}</nav>`,
  };
}
