import { SruDiagnostic } from './diagnostic.js';

/** `/relevant`, `/distance<=5`. */
export interface Modifier {
  name: string;
  comparison?: { symbol: string; value: string };
}

/** `dc.title any/relevant fish`; a term alone has neither index nor relation. */
export interface Clause {
  kind: 'clause';
  index?: string;
  relation?: { name: string; modifiers: Modifier[] };
  /** As it was written, its escaped characters with their backslashes. */
  term: string;
}

export type CqlNode =
  | Clause
  | { kind: 'boolean'; operator: string; modifiers: Modifier[]; left: CqlNode; right: CqlNode }
  /** A short name for a context set, or the set of names without one, for what is in it. */
  | { kind: 'prefix'; name?: string; uri: string; query: CqlNode };

export interface CqlQuery {
  query: CqlNode;
  sort: { index: string; modifiers: Modifier[] }[];
}

const LONGEST = 4_000;
const DEEPEST = 100;
const OPERATORS = ['and', 'or', 'not', 'prox'];
const COMPARISONS = ['=', '==', '<>', '<', '<=', '>', '>='];
/** Quotations with their marks, signs, words. A mark by itself is one that nothing ends. */
const TOKENS = /"(?:[^"\\]|\\[^])*"|==|<>|<=|>=|[=<>()/]|[^\s()=<>"/]+|"/gu;
const isSign = (token: string) => /^[=<>()/]/.test(token);

/**
 * Reads a query of the Contextual Query Language 1.2.
 * @throws SruDiagnostic 10, 12, 13, 14
 */
export function parseCql(text: string): CqlQuery {
  if (text.length > LONGEST) throw new SruDiagnostic(12, LONGEST);
  const tokens: readonly string[] = text.match(TOKENS) ?? [];
  if (tokens.includes('"')) throw new SruDiagnostic(14);
  let at = 0;
  let depth = 0;

  const take = (isWanted: (token: string) => boolean): string | undefined => {
    const token = tokens[at];
    if (token === undefined || !isWanted(token)) return undefined;
    at += 1;
    return token;
  };
  const takeOne = (...wanted: string[]) =>
    take((token) => wanted.includes(token.toLowerCase()))?.toLowerCase();
  const term = (): string => {
    const token = take((each) => !isSign(each));
    if (token === undefined) throw new SruDiagnostic(10, tokens.slice(at).join(' '));
    return token.startsWith('"') ? token.slice(1, -1) : token;
  };
  const modifiers = (): Modifier[] => {
    const all: Modifier[] = [];
    while (takeOne('/') !== undefined) {
      const name = term();
      const symbol = takeOne(...COMPARISONS);
      all.push({ name, ...(symbol !== undefined && { comparison: { symbol, value: term() } }) });
    }
    return all;
  };
  const clause = (): CqlNode => {
    if (takeOne('(') !== undefined) {
      const inner = query();
      if (takeOne(')') === undefined) throw new SruDiagnostic(13);
      return inner;
    }
    const first = term();
    const isName = (token: string) =>
      !isSign(token) && !token.startsWith('"') && ![...OPERATORS, 'sortby'].includes(token.toLowerCase());
    const name = takeOne(...COMPARISONS) ?? take(isName);
    if (name === undefined) return { kind: 'clause', term: first };
    return { kind: 'clause', index: first, relation: { name, modifiers: modifiers() }, term: term() };
  };
  const query = (): CqlNode => {
    if ((depth += 1) > DEEPEST) throw new SruDiagnostic(13);
    let node: CqlNode;
    if (takeOne('>') !== undefined) {
      const first = term();
      const isNamed = takeOne('=') !== undefined;
      const uri = isNamed ? term() : first;
      node = { kind: 'prefix', ...(isNamed && { name: first }), uri, query: query() };
    } else {
      node = clause();
      // All operators bind alike, from the left.
      for (let operator = takeOne(...OPERATORS); operator; operator = takeOne(...OPERATORS)) {
        node = { kind: 'boolean', operator, modifiers: modifiers(), left: node, right: clause() };
      }
    }
    depth -= 1;
    return node;
  };

  const whole: CqlQuery = { query: query(), sort: [] };
  if (takeOne('sortby') !== undefined) {
    do whole.sort.push({ index: term(), modifiers: modifiers() });
    while (at < tokens.length);
  }
  if (at < tokens.length) throw new SruDiagnostic(tokens[at] === ')' ? 13 : 10, tokens.slice(at).join(' '));
  return whole;
}
