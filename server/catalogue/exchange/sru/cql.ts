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
const SYMBOLS = /^(?:[=<>]|==|<>|<=|>=)$/;

interface Token {
  text: string;
  isQuoted: boolean;
  /** Neither a word nor a quotation. */
  isSign: boolean;
  at: number;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const found of text.matchAll(/\s+|"((?:[^"\\]|\\[^])*)"|(==|<>|<=|>=|[=<>()/])|([^\s()=<>"/]+)|[^]/gu)) {
    const { 0: all, 1: quoted, 2: sign, 3: word, index: at } = found;
    if (all.trim() === '') continue;
    const said = quoted ?? sign ?? word;
    if (said === undefined) throw new SruDiagnostic(14, at);
    tokens.push({ text: said, isQuoted: quoted !== undefined, isSign: sign !== undefined, at });
  }
  return tokens;
}

class Parser {
  private readonly tokens: Token[];
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  whole(): CqlQuery {
    const query = this.query();
    const sort: CqlQuery['sort'] = [];
    if (this.takeWord('sortby') !== undefined) {
      do sort.push({ index: this.term(), modifiers: this.modifiers() });
      while (this.tokens[this.at]);
    }
    const left = this.tokens[this.at];
    if (left) throw new SruDiagnostic(left.text === ')' && left.isSign ? 13 : 10, left.at);
    return { query, sort };
  }

  private query(): CqlNode {
    if ((this.depth += 1) > DEEPEST) throw new SruDiagnostic(13, this.tokens[this.at]?.at);
    const node = this.takeSign(/^>$/) === undefined ? this.scoped() : this.prefixed();
    this.depth -= 1;
    return node;
  }

  private prefixed(): CqlNode {
    const first = this.term();
    const named = this.takeSign(/^=$/) !== undefined;
    return {
      kind: 'prefix',
      ...(named && { name: first }),
      uri: named ? this.term() : first,
      query: this.query(),
    };
  }

  /** All operators bind alike, from the left. */
  private scoped(): CqlNode {
    let left = this.clause();
    for (let operator = this.takeWord(...OPERATORS); operator; operator = this.takeWord(...OPERATORS)) {
      left = { kind: 'boolean', operator, modifiers: this.modifiers(), left, right: this.clause() };
    }
    return left;
  }

  private clause(): CqlNode {
    if (this.takeSign(/^\($/) !== undefined) {
      const inner = this.query();
      if (this.takeSign(/^\)$/) === undefined) throw new SruDiagnostic(13, this.tokens[this.at]?.at);
      return inner;
    }
    const term = this.term();
    const next = this.tokens[this.at];
    const isNamed =
      next && !next.isSign && !next.isQuoted && ![...OPERATORS, 'sortby'].includes(next.text.toLowerCase());
    const name = isNamed ? this.term() : this.takeSign(SYMBOLS);
    if (name === undefined) return { kind: 'clause', term };
    return { kind: 'clause', index: term, relation: { name, modifiers: this.modifiers() }, term: this.term() };
  }

  private modifiers(): Modifier[] {
    const modifiers: Modifier[] = [];
    while (this.takeSign(/^\/$/) !== undefined) {
      const name = this.term();
      const symbol = this.takeSign(SYMBOLS);
      modifiers.push({ name, ...(symbol !== undefined && { comparison: { symbol, value: this.term() } }) });
    }
    return modifiers;
  }

  private term(): string {
    const token = this.tokens[this.at];
    if (!token || token.isSign) throw new SruDiagnostic(10, token?.at);
    this.at += 1;
    return token.text;
  }

  private takeSign(signs: RegExp): string | undefined {
    const token = this.tokens[this.at];
    if (!token?.isSign || !signs.test(token.text)) return undefined;
    this.at += 1;
    return token.text;
  }

  private takeWord(...words: string[]): string | undefined {
    const token = this.tokens[this.at];
    const word = token?.text.toLowerCase() ?? '';
    if (!token || token.isSign || token.isQuoted || !words.includes(word)) return undefined;
    this.at += 1;
    return word;
  }
}

/**
 * Reads a query of the Contextual Query Language 1.2.
 * @throws SruDiagnostic 10, 12, 13, 14
 */
export function parseCql(text: string): CqlQuery {
  if (text.length > LONGEST) throw new SruDiagnostic(12, LONGEST);
  return new Parser(text).whole();
}
