/** What a letter says; its look is the same for all. */
export interface Letter {
  subject: string;
  heading: string;
  /** Before the button. */
  paragraphs: string[];
  button: { label: string; url: string };
  /** Below the button, small. */
  notes: string[];
  /** Whose letter it is. */
  sender: string;
}

export interface RenderedLetter {
  subject: string;
  html: string;
  text: string;
}

/** A name that can be nothing but a name: whoever registers a stranger's address cannot write to him by our letters. */
const PLAIN_NAME = /^[\p{L}\p{M}' -]{1,40}$/u;

/** How a letter begins. */
export function salutation(firstname: string): string {
  return `Dear ${PLAIN_NAME.test(firstname) ? firstname : 'reader'},`;
}

const PAPER = '#f4efe4';
const SURFACE = '#fbf8f1';
const INK = '#231d17';
const INK_SOFT = '#5f5548';
const LINE = '#d8cfbd';
const ACCENT = '#1f5442';
const SERIF = "Newsreader,Georgia,'Times New Roman',serif";
const SANS = "Inter,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

/** Writes a letter as HTML that every mail program draws alike (tables, styles in place), and as plain text. */
export function renderLetter(letter: Letter): RenderedLetter {
  return { subject: letter.subject, html: asHtml(letter), text: asText(letter) };
}

function asText({ heading, paragraphs, button, notes, sender }: Letter): string {
  return [heading, ...paragraphs, `${button.label}:\n${button.url}`, ...notes, `-- \n${sender}`]
    .join('\n\n')
    .concat('\n');
}

function asHtml({ subject, heading, paragraphs, button, notes, sender }: Letter): string {
  const url = escape(button.url);
  const body = paragraphs
    .map((text) => `<p style="margin:0 0 16px;font:16px/1.6 ${SANS};color:${INK}">${escape(text)}</p>`)
    .join('\n            ');
  const small = notes
    .map((text) => `<p style="margin:0 0 8px;font:13px/1.55 ${SANS};color:${INK_SOFT}">${escape(text)}</p>`)
    .join('\n            ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light">
    <title>${escape(subject)}</title>
  </head>
  <body style="margin:0;padding:0;background:${PAPER}">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${PAPER}" style="background:${PAPER}">
      <tr>
        <td align="center" style="padding:32px 16px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
            <tr>
              <td style="padding:0 4px 16px;font:600 20px/1.2 ${SERIF};color:${INK}">${escape(sender)}</td>
            </tr>
            <tr>
              <td bgcolor="${SURFACE}" style="padding:32px;background:${SURFACE};border:1px solid ${LINE};border-radius:4px">
                <h1 style="margin:0 0 16px;font:500 28px/1.2 ${SERIF};color:${INK}">${escape(heading)}</h1>
            ${body}
                <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
                  <tr>
                    <td bgcolor="${ACCENT}" style="background:${ACCENT};border-radius:4px">
                      <a href="${url}" style="display:inline-block;padding:13px 24px;font:600 16px/1.2 ${SANS};color:${SURFACE};text-decoration:none">${escape(button.label)}</a>
                    </td>
                  </tr>
                </table>
                <p style="margin:0 0 4px;font:13px/1.55 ${SANS};color:${INK_SOFT}">If the button does not work, copy this address into your browser:</p>
                <p style="margin:0 0 16px;font:13px/1.55 ${SANS};word-break:break-all;color:${INK_SOFT}">${url}</p>
            ${small}
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
