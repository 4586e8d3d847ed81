import MarkdownIt from 'markdown-it';

/**
 * Markdown of the library's own as HTML: headings, paragraphs, lists, tables, emphasis and links. HTML in it is shown as it was typed,
 * pictures are left out, and links lead to pages, letters and telephones alone.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false }).disable('image');
/** In letters values stand among the words, and no name may become a link by itself. */
const inLetters = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('image');

const SAFE_LINK = /^(https?:|mailto:|tel:|#|\/)/i;
// The page has a heading of its own above them.
const FIRST_LEVEL = 2;
const headingOf = (tag: string) => `h${Math.min(6, Number(tag.slice(1)) + FIRST_LEVEL - 1)}`;
for (const each of [markdown, inLetters]) {
  each.validateLink = (address) => SAFE_LINK.test(address.trim());
  for (const rule of ['heading_open', 'heading_close']) {
    each.renderer.rules[rule] = (tokens, at, options, _environment, renderer) => {
      const token = tokens[at];
      if (token) token.tag = headingOf(token.tag);
      return renderer.renderToken(tokens, at, options);
    };
  }
}

export const htmlOf = (text: string): string => markdown.render(text);

/** @param styles of elements by their names: mail programs know no style sheets */
export function letterHtmlOf(text: string, styles: Readonly<Record<string, string>>): string {
  const tokens = inLetters.parse(text, {});
  for (const token of tokens.flatMap((each) => [each, ...(each.children ?? [])])) {
    const style = styles[token.type === 'heading_open' ? headingOf(token.tag) : token.tag];
    if (style !== undefined && token.nesting === 1) token.attrSet('style', style);
  }
  return inLetters.renderer.render(tokens, inLetters.options, {}).trim();
}
