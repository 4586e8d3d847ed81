import { localMinute } from '#contracts/local-day.js';
import { currentLanguage } from '#platform/language.js';
import { escapeMarkup } from '#platform/markup.js';
import { PALETTE } from '#platform/palette.js';
import * as m from '#words/messages.js';
import { letterHtmlOf } from '../http/markdown.js';

/** Who gets a letter, and from which library. */
export interface Addressee {
  firstname: string;
  library: string;
}

/** What is said in a letter; all letters share one layout. */
export interface Letter {
  subject: string;
  /** Default: the subject. */
  heading?: string;
  /** After the salutation and before the button. */
  paragraphs: string[];
  /** After the paragraphs, one per line: titles of books. */
  list?: string[];
  /** After the list, where the letter tells of several things. */
  sections?: LetterSection[];
  /** After the list, as a table of labels and values. */
  facts?: [label: string, value: string][];
  button: { label: string; url: string };
  /** Below the button, small. */
  notes: string[];
}

/** One of several things that a letter tells of. */
export type LetterSection = { heading: string; paragraphs?: string[] } & Pick<Letter, 'list' | 'facts'>;

/** As it is laid out: with the salutation among its paragraphs. */
type Addressed = Letter & { heading: string; sender: string };

export interface RenderedLetter {
  /** What it was made of. */
  letter: Letter;
  subject: string;
  html: string;
  text: string;
}

/** Only plain names pass: registering a stranger's address must not send a message of one's own in our letters. */
const PLAIN_NAME = /^[\p{L}\p{M}' -]{1,40}$/u;

const { paper, surface, ink, inkSoft, line, accent } = PALETTE.day;
const SERIF = "Newsreader,Georgia,'Times New Roman',serif";
const SANS = "Inter,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";

/** A moment as a person reads it: "2026-11-21 at 09:05 (Europe/Warsaw)". */
export function moment(at: Date, timeZone: string): string {
  const [day = '', time = ''] = localMinute(at.getTime(), timeZone).split(' ');
  return m.letter_moment({ day, time, zone: timeZone });
}

/** Writes a letter as HTML that all mail programs render alike (tables, inline styles), and as plain text. */
export function renderLetter({ firstname, library }: Addressee, letter: Letter): RenderedLetter {
  const salutation = PLAIN_NAME.test(firstname)
    ? m.letter_salutation({ name: firstname })
    : m.letter_salutation_unnamed();
  const addressed = {
    heading: letter.subject,
    ...letter,
    paragraphs: [salutation, ...letter.paragraphs],
    notes: [...letter.notes, m.letter_foot()],
    sender: library,
  };
  const { subject } = letter;
  return { letter: addressed, subject, html: asHtml(addressed), text: asText(addressed) };
}

function asText({ heading, paragraphs, sections = [], button, notes, sender, ...rest }: Addressed): string {
  const told = ({ list = [], facts = [] }: Pick<Letter, 'list' | 'facts'>) => [
    list.map((item) => `- ${oneLine(item)}`).join('\n'),
    facts.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n'),
  ];
  return [
    heading,
    ...paragraphs,
    ...sections.flatMap((section) => [section.heading, ...(section.paragraphs ?? []), ...told(section)]),
    ...told(rest),
    `${button.label}:\n${button.url}`,
    ...notes,
    `-- \n${sender}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

/** A line break in a title could pass for a part of the letter. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function asHtml(letter: Addressed): string {
  const { subject, heading, paragraphs, button, notes, sender } = letter;
  const url = escapeMarkup(button.url);
  const body = paragraphsHtml(paragraphs);
  const sections = (letter.sections ?? []).map(
    (
      section,
    ) => `<h2 style="margin:24px 0 8px;font:500 20px/1.3 ${SERIF};color:${ink}">${escapeMarkup(section.heading)}</h2>
            ${paragraphsHtml(section.paragraphs ?? [])}${listHtml(section.list ?? [])}${factsHtml(section.facts ?? [])}`,
  );
  const small = textsHtml(notes, SMALL);
  return `<!doctype html>
<html lang="${currentLanguage()}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light">
    <title>${escapeMarkup(subject)}</title>
  </head>
  <body style="margin:0;padding:0;background:${paper}">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${paper}" style="background:${paper}">
      <tr>
        <td align="center" style="padding:32px 16px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
            <tr>
              <td style="padding:0 4px 16px;font:600 20px/1.2 ${SERIF};color:${ink}">${escapeMarkup(sender)}</td>
            </tr>
            <tr>
              <td bgcolor="${surface}" style="padding:32px;background:${surface};border:1px solid ${line};border-radius:4px">
                <h1 style="margin:0 0 16px;font:500 28px/1.2 ${SERIF};color:${ink}">${escapeMarkup(heading)}</h1>
            ${body}
            ${listHtml(letter.list ?? [])}${sections.join('')}${factsHtml(letter.facts ?? [])}
                <table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
                  <tr>
                    <td bgcolor="${accent}" style="background:${accent};border-radius:4px">
                      <a href="${url}" style="display:inline-block;padding:13px 24px;font:600 16px/1.2 ${SANS};color:${surface};text-decoration:none">${escapeMarkup(button.label)}</a>
                    </td>
                  </tr>
                </table>
                <p style="margin:0 0 4px;font:13px/1.55 ${SANS};color:${inkSoft}">${escapeMarkup(m.letter_button_does_not_work())}</p>
                <p style="margin:0 0 16px;font:13px/1.55 ${SANS};word-break:break-all;color:${inkSoft}">${url}</p>
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

type TextStyle = Record<'margin' | 'font' | 'color', string>;
const LARGE: TextStyle = { margin: '0 0 16px', font: `16px/1.6 ${SANS}`, color: ink };
const SMALL: TextStyle = { margin: '0 0 8px', font: `13px/1.55 ${SANS}`, color: inkSoft };

const paragraphsHtml = (paragraphs: readonly string[]) => textsHtml(paragraphs, LARGE);

/** Texts are Markdown; mail programs know no style sheets, so each of its elements has the style of the text. */
function textsHtml(texts: readonly string[], { margin, ...type }: TextStyle): string {
  const style = (css: object) =>
    Object.entries(css)
      .map(([name, value]) => `${name}:${String(value)}`)
      .join(';');
  const block = style({ margin, ...type });
  const styles = {
    ...{ p: block, h2: block, h3: block, h4: block, h5: block, h6: block, li: style(type) },
    ...{ ul: style({ margin, padding: '0 0 0 20px' }), ol: style({ margin, padding: '0 0 0 20px' }) },
    ...{ a: style({ color: accent }), td: style({ ...type, padding: '4px 12px 4px 0' }) },
  };
  return texts
    .filter((text) => text !== '')
    .map((text) => letterHtmlOf(text, styles))
    .join('\n            ');
}

function listHtml(list: string[]): string {
  if (list.length === 0) return '';
  const items = list.map(
    (item) =>
      `<li style="margin:0 0 6px;font:500 18px/1.4 ${SERIF};color:${ink};word-break:break-word"><span dir="auto">${escapeMarkup(oneLine(item))}</span></li>`,
  );
  return `<ul style="margin:0 0 20px;padding:0 0 0 20px;color:${accent}">${items.join('')}</ul>`;
}

function factsHtml(facts: [label: string, value: string][]): string {
  if (facts.length === 0) return '';
  const cell = `padding:8px 0;border-top:1px solid ${line};vertical-align:top`;
  const rows = facts.map(
    ([label, value]) => `<tr>
                    <td style="${cell};padding-right:16px;font:15px/1.5 ${SANS};color:${inkSoft}">${escapeMarkup(label)}</td>
                    <td align="right" style="${cell};font:600 15px/1.5 ${SANS};color:${ink};word-break:break-word">${escapeMarkup(oneLine(value))}</td>
                  </tr>`,
  );
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 20px;border-bottom:1px solid ${line}">${rows.join('')}</table>`;
}
