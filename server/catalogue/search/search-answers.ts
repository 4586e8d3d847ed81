import { Injectable } from '@nestjs/common';
import { MAX_PARTS, type Correction } from '#contracts/catalogue/book-views.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { BookMatches } from './book-matches.js';
import type { FoundPage } from './found-page.js';
import { Spelling } from './in-memory/spelling.js';
import { searchScopeOf } from './search-scope.js';
import { inLatin } from './search-words.js';
import { joined, queryOfParts, respelt, widened, type SearchPart, type SearchQuery } from './search-term.js';

/** Books that have the same of what is looked for. */
export interface ListedPart {
  /** What these books do not have, as it was typed; empty where they have everything. */
  without: readonly string[];
  ids: readonly number[];
}

/** What a search finds, without regard to what it is narrowed to. */
interface SearchAnswer {
  /** What was looked for in the end, by which the first books were found. */
  query: SearchQuery;
  corrections: readonly Correction[];
  /** All that is listed, where few books or none have everything; otherwise what the query finds is. */
  parts: readonly ListedPart[] | undefined;
}

/** Where fewer books have everything, those follow that have the most of it. */
const FEW = 5;
/** So many of these are listed: two pages. Whoever has not found the book there types something else. */
const MOST_IN_PART = 24;
/** So many words of a search, those that say most, are combined. */
const MOST_COMBINED = 8;
/** So much less than a word that as many books have weigh: what only narrows, what was corrected, the mere beginning of words where no book has all. */
const SOFT_WEIGHT = 0.3;
const CORRECTED_WEIGHT = 0.8;
const BEGINNING_WEIGHT = 0.6;
/** A word that books have is read as another one that so many times as many books have. */
const FAR_MORE = 4;
/** A word that at least one book in so many has is read as it stands. */
const COMMON = 200;
/** The shortest word that is read otherwise although books have it. */
const SHORTEST_READ = 3;
/** How much of the weight that the best books have the others must have to be listed. */
const LEAST_SHARE = 0.6;

/** Works out what a search finds where few books or none have all of its words. */
@Injectable()
export class SearchAnswers {
  constructor(
    private readonly cache: CatalogueCache,
    private readonly matches: BookMatches,
    private readonly spelling: Spelling,
  ) {}

  /** @param query as it was typed */
  async to(query: SearchQuery): Promise<SearchAnswer> {
    const total = await this.matches.total(query);
    if (total >= FEW || (total > 0 && query.mayBeIsbn)) {
      return { query, corrections: [], parts: undefined };
    }
    return this.cache.getOrLoad(
      'books',
      `answer|${query.key}`,
      () => (total > 0 ? this.withPartial(query) : this.forgiven(query)),
      ({ parts = [] }) => parts.reduce((sum, { ids }) => sum + ids.length, 100),
    );
  }

  /** Finds more broadly, then with words read otherwise; and the books that have the most where none has everything. */
  private async forgiven(typed: SearchQuery): Promise<SearchAnswer> {
    const wide = widened(typed);
    const found = await this.firstThatFinds([wide, ...joined(wide)]);
    if (found) return this.withPartial(found);
    const spelt = await this.spelt(typed);
    const corrected = await this.firstThatFinds([spelt, ...(await this.readOtherwise(spelt))]);
    if (!corrected) return this.withPartial(spelt);
    // One word that was corrected may stand beside another that few spell so.
    const [more] = (await this.matches.total(corrected)) < FEW ? await this.readOtherwise(corrected) : [];
    return this.withPartial(more && (await this.findsAny(more)) ? more : corrected);
  }

  private async withPartial(query: SearchQuery): Promise<SearchAnswer> {
    const { ids, total } = await this.matches.page(searchScopeOf(query, undefined), 'none', {
      offset: 0,
      limit: FEW,
    });
    if (total >= FEW || (total > 0 && (await this.matches.haveTitle(ids, query.titles)))) {
      return { query, corrections: await this.correctionsOf(query), parts: undefined };
    }
    const more = total > 0 ? await this.respelt(query) : { ids: [], total: 0, query };
    // Too many for a list by name: they are what the query finds.
    if (more.total > MOST_IN_PART) {
      return { query: more.query, corrections: await this.correctionsOf(query), parts: undefined };
    }
    const whole = [...new Set([...ids, ...more.ids])];
    const partial = whole.length < FEW ? await this.partial(query, whole) : [];
    const parts = [...(total > 0 ? [{ without: [], ids: whole, query }] : []), ...partial];
    const best = parts[0]?.query ?? query;
    return {
      query: best,
      corrections: await this.correctionsOf(best),
      parts: parts.map(({ without, ids: listed }) => ({ without, ids: listed })),
    };
  }

  /** The books that have everything, in other spellings too. */
  private async respelt(typed: SearchQuery): Promise<FoundPage & { query: SearchQuery }> {
    const query = respelt(typed);
    const page = { offset: 0, limit: MOST_IN_PART };
    return { ...(await this.matches.page(searchScopeOf(query, undefined), 'none', page)), query };
  }

  /** The books that have some of what is looked for: those first that have what says most. */
  private async partial(
    query: SearchQuery,
    full: readonly number[],
  ): Promise<(ListedPart & { query: SearchQuery })[]> {
    const listed = new Set(full);
    const parts: (ListedPart & { query: SearchQuery })[] = [];
    const { sets, most } = await this.combinations(query, full.length > 0);
    let best = full.length > 0 ? most : 0;
    for (const { terms: some, weight } of sets) {
      const left = MOST_IN_PART + full.length - listed.size;
      if (left <= 0 || parts.length >= MAX_PARTS || weight < best * LEAST_SHARE) break;
      const fewer = queryOfParts(query.parts.filter((part) => !query.terms.includes(part) || some.has(part)));
      const page = { offset: 0, limit: left + listed.size };
      const { ids } = await this.matches.page(searchScopeOf(fewer, undefined), 'none', page);
      const fresh = ids.filter((id) => !listed.has(id)).slice(0, left);
      if (fresh.length === 0) continue;
      best = Math.max(best, weight);
      for (const id of fresh) listed.add(id);
      const without = query.terms.filter((term) => !some.has(term)).map(({ typed }) => typed);
      parts.push({ without, ids: fresh, query: fewer });
    }
    return parts;
  }

  /** The sets of terms that books may have together, without that of all of them; what weighs most first. */
  private async combinations(
    { terms }: SearchQuery,
    someHaveAll: boolean,
  ): Promise<{ sets: { terms: ReadonlySet<SearchPart>; weight: number }[]; most: number }> {
    const all = await this.matches.total(undefined);
    const weighed = await Promise.all(
      terms.map(async (term) => {
        const books = await this.matches.total(queryOfParts([term]));
        const factor =
          (term.isSoft ? SOFT_WEIGHT : 1) *
          (term.near ? CORRECTED_WEIGHT : 1) *
          (books > 0 && !someHaveAll && !(await this.findsAny(queryOfParts([ended(term)])))
            ? BEGINNING_WEIGHT
            : 1);
        return { term, weight: books === 0 ? 0 : factor * Math.log(1 + all / books) };
      }),
    );
    const known = weighed
      .filter(({ weight }) => weight > 0)
      .sort((one, other) => other.weight - one.weight)
      .slice(0, MOST_COMBINED);
    const apart = await this.neverTogether(known.map(({ term }) => term));
    const sets = Array.from({ length: 2 ** known.length }, (_, bits) => {
      const chosen = known.filter((_each, at) => (bits >>> at) % 2 === 1);
      return {
        bits,
        terms: new Set(chosen.map(({ term }) => term)),
        weight: chosen.reduce((sum, { weight }) => sum + weight, 0),
      };
    });
    const possible = sets.filter(
      ({ bits, terms: some }) =>
        bits > 0 &&
        some.size < terms.length &&
        !apart.some((two) => (bits & two) === two) &&
        // A guess among many words says nothing by itself.
        [...some].some(({ near = [] }) => near.length <= 1),
    );
    return {
      sets: possible.sort((one, other) => other.weight - one.weight),
      most: known.reduce((sum, { weight }) => sum + weight, 0),
    };
  }

  /** Pairs of terms, as two bits each, that no book has: nor has any all of more with these. */
  private async neverTogether(terms: readonly SearchPart[]): Promise<number[]> {
    const pairs = terms.flatMap((one, at) =>
      terms.slice(at + 1).map((other, after) => ({ one, other, at, after })),
    );
    const found = await Promise.all(pairs.map(({ one, other }) => this.findsAny(queryOfParts([one, other]))));
    return pairs.flatMap(({ at, after }, place) =>
      found[place] ? [] : [(1 << at) | (1 << (at + after + 1))],
    );
  }

  /** With each word that no book has, nor the beginning of one, as the words near to it. */
  private async spelt(typed: SearchQuery): Promise<SearchQuery> {
    const parts = await Promise.all(
      widened(typed).parts.map(async (part) => {
        if (part.isNoise) return part;
        const whole = { ...part, forms: part.forms.filter((form) => !part.halves.includes(form)) };
        if (await this.findsAny(queryOfParts([whole]))) return whole;
        const { slips, alike } = await this.spelling.near(inLatin(part.typed));
        const near = [...slips, ...alike];
        return near.length === 0 ? part : asNear(part, near, part.halves);
      }),
    );
    return queryOfParts(parts);
  }

  /** With one of the words that books have as one near to it that far more books have, the rarest word first. */
  private async readOtherwise(query: SearchQuery): Promise<SearchQuery[]> {
    const known = await Promise.all(
      query.terms
        .filter(({ typed, near, isSoft }) => !near && !isSoft && typed.length >= SHORTEST_READ)
        .map(async (term) => ({ term, books: await this.matches.total(queryOfParts([term])) })),
    );
    const common = (await this.matches.total(undefined)) / COMMON;
    const queries: SearchQuery[] = [];
    for (const { term, books } of known.sort((one, other) => one.books - other.books)) {
      if (books === 0 || books > common) continue;
      const { slips } = await this.spelling.near(term.typed);
      const more: string[] = [];
      for (const word of slips) {
        if ((await this.matches.total(queryOfParts([asNear(term, [word])]))) >= FAR_MORE * books)
          more.push(word);
      }
      if (more.length === 0) continue;
      queries.push(
        queryOfParts(query.parts.map((part) => (part === term ? asNear(part, more, part.forms) : part))),
      );
    }
    return queries;
  }

  /** What words were read as: of the words that were tried, those that books were found by. */
  private async correctionsOf(query: SearchQuery): Promise<Correction[]> {
    const corrections: Correction[] = [];
    for (const part of query.terms) {
      const read: string[] = [];
      for (const word of part.near ?? []) {
        const alone = queryOfParts(
          query.parts.map((other) => (other === part ? asNear(part, [word]) : other)),
        );
        if (await this.findsAny(alone)) read.push(word);
      }
      if (read.length > 0) corrections.push({ typed: part.typed, read });
    }
    return corrections;
  }

  private async firstThatFinds(queries: readonly SearchQuery[]): Promise<SearchQuery | undefined> {
    for (const query of queries) if (await this.findsAny(query)) return query;
    return undefined;
  }

  private async findsAny(query: SearchQuery): Promise<boolean> {
    return (await this.matches.total(query)) > 0;
  }
}

/** The term as whole words only. */
function ended(term: SearchPart): SearchPart {
  return { ...term, forms: term.forms.map((words) => words.map((word) => word.replace('*', ''))) };
}

function asNear(part: SearchPart, near: readonly string[], further: SearchPart['forms'] = []): SearchPart {
  const isOpen = part.forms[0]?.at(-1)?.endsWith('*') ?? false;
  return {
    ...part,
    read: near[0] ?? part.read,
    near,
    forms: [...near.map((word) => [isOpen ? `${word}*` : word]), ...further],
  };
}
