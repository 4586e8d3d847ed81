import MarkdownIt from 'markdown-it';

/**
 * Markdown of the library's own as HTML: headings, paragraphs, lists, tables, emphasis and links. HTML in it is shown as it was typed,
 * pictures are left out, and links lead to pages, letters and telephones alone.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false }).disable('image');

const SAFE_LINK = /^(https?:|mailto:|tel:|#|\/)/i;
markdown.validateLink = (address) => SAFE_LINK.test(address.trim());

// The page has a heading of its own above them.
const FIRST_LEVEL = 2;
for (const rule of ['heading_open', 'heading_close']) {
  markdown.renderer.rules[rule] = (tokens, at, options, _environment, renderer) => {
    const token = tokens[at];
    if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + FIRST_LEVEL - 1)}`;
    return renderer.renderToken(tokens, at, options);
  };
}

export const htmlOf = (text: string): string => markdown.render(text);
