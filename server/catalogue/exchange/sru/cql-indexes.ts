import { SruDiagnostic } from './diagnostic.js';

/** The context sets that are known, by the short names that they have here: the first address is the one that is told. */
export const CONTEXT_SETS: Readonly<Record<string, readonly string[]>> = {
  cql: ['info:srw/cql-context-set/1/cql-v1.2', 'info:srw/cql-context-set/1/cql-v1.1'],
  dc: ['info:srw/cql-context-set/1/dc-v1.1', 'info:srw/context-sets/1/dc-v1.1'],
  bath: ['http://zing.z3950.org/cql/bath/2.0/'],
};

/** What can be asked for, by its names in the context sets, and what of `book b` puts books in its order. */
export const INDEXES = {
  any: { names: ['cql.serverChoice', 'cql.anywhere', 'cql.keywords', 'cql.any'] },
  title: { names: ['dc.title', 'bath.title'], order: 'b.title collate "pl-x-icu"' },
  author: {
    names: ['dc.creator', 'bath.author'],
    order: `(select (a.lastname || ' ' || a.firstname) collate "pl-x-icu" from book_author l join author a on a.id = l.author_id
      where l.book_id = b.id order by l.place limit 1)`,
  },
  subject: { names: ['dc.subject', 'bath.subject'] },
  isbn: { names: ['bath.isbn', 'dc.identifier'] },
  date: { names: ['dc.date'], order: 'b.publication_date' },
  everything: { names: ['cql.allRecords'] },
} satisfies Record<string, { names: readonly string[]; order?: string }>;
export type Index = keyof typeof INDEXES;

/** The context sets that a part of a query gave short names; '' is the one of names without. */
export type Prefixes = ReadonlyMap<string, string>;

/** @throws SruDiagnostic 15 */
export function setOfUri(uri: string): string {
  const [known] = Object.entries(CONTEXT_SETS).find(([, uris]) => uris.includes(uri)) ?? [];
  if (known === undefined) throw new SruDiagnostic(15, uri);
  return known;
}

/**
 * Which index a name means; case does not count.
 * @throws SruDiagnostic 15, 16, 50
 */
export function indexOf(named: string, prefixes: Prefixes): Index {
  const [, prefix = '', base = ''] = /^(?:([^.]*)\.)?([^]*)$/.exec(named.toLowerCase()) ?? [];
  const set = prefixes.get(prefix) ?? prefix;
  if (set !== '' && !Object.hasOwn(CONTEXT_SETS, set)) throw new SruDiagnostic(15, prefix);
  if (base === 'resultsetid') throw new SruDiagnostic(50);
  const isMeant = (name: string) =>
    (set === '' ? name.split('.')[1] : name) === (set === '' ? base : `${set}.${base}`);
  const found = Object.entries(INDEXES).find(([, { names }]) =>
    names.some((name) => isMeant(name.toLowerCase())),
  );
  if (!found) throw new SruDiagnostic(16, named);
  return found[0] as Index;
}
