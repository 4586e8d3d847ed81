import { PdfUnreadable, readPdf, renumber, type PdfObject } from './read-pdf.js';

/** What the joined document says of itself. */
export interface DocumentInfo {
  title: string;
  author: string;
  madeAt: Date;
}

/**
 * Joins PDFs that Chromium printed into one, piece by piece: what was given out need not be kept. Each one's objects
 * get numbers of their own, and its tree of pages becomes a branch of one tree.
 */
export class PdfJoiner {
  /** Where each object begins, by its number; the first three are the catalogue, the pages and the information. */
  private readonly offsets: number[] = [0, 0, 0];
  private readonly branches: { object: number; pages: number }[] = [];
  private length = 0;

  get pages(): number {
    return this.branches.reduce((sum, { pages }) => sum + pages, 0);
  }

  /** How the file begins. */
  begin(): Buffer {
    // The second line tells that there are more than letters in it.
    return this.out(Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  }

  /**
   * The next piece of the file.
   * @throws PdfUnreadable when it is none that Chromium prints
   */
  add(pdf: Uint8Array): Buffer {
    const { objects, root, info } = readPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
    const tree = referenced(objects, root, 'Pages');
    const numbers = new Map<number, number>();
    for (const number of objects.keys()) {
      if (number === root || number === info) continue;
      numbers.set(number, this.offsets.length + numbers.size + 1);
    }
    const pieces: Buffer[] = [];
    for (const [number, object] of objects) {
      const renumbered = numbers.get(number);
      if (renumbered === undefined) continue;
      let { head } = object;
      if (number === tree) {
        const pages = /\/Count (\d+)/.exec(head)?.[1];
        if (pages === undefined) throw new PdfUnreadable('its pages are not counted');
        this.branches.push({ object: renumbered, pages: Number(pages) });
      }
      head = renumber(head, numbers);
      if (number === tree) head = head.replace('<<', `<</Parent ${PAGES} 0 R `);
      this.offsets.push(this.length);
      pieces.push(
        this.out(
          Buffer.concat([
            Buffer.from(`${renumbered} 0 obj\n${head}`, 'latin1'),
            object.stream,
            Buffer.from('\nendobj\n'),
          ]),
        ),
      );
    }
    return Buffer.concat(pieces);
  }

  /** How the file ends. */
  end({ title, author, madeAt }: DocumentInfo): Buffer {
    const kids = this.branches.map(({ object }) => `${object} 0 R`).join(' ');
    const date = `D:${madeAt.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
    const heads: [number, string][] = [
      [
        CATALOGUE,
        `<</Type /Catalog /Pages ${PAGES} 0 R /Lang (en) /ViewerPreferences <</DisplayDocTitle true>>>>`,
      ],
      [PAGES, `<</Type /Pages /Count ${this.pages} /Kids [${kids}]>>`],
      [
        INFO,
        `<</Title ${textString(title)} /Author ${textString(author)} /Producer (Lectern) /CreationDate (${date})>>`,
      ],
    ];
    const pieces = heads.map(([number, head]) => {
      this.offsets[number - 1] = this.length;
      return this.out(Buffer.from(`${number} 0 obj\n${head}\nendobj\n`, 'latin1'));
    });
    const at = this.length;
    const entries = this.offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const size = this.offsets.length + 1;
    pieces.push(
      this.out(
        Buffer.from(
          `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<</Size ${size} /Root ${CATALOGUE} 0 R /Info ${INFO} 0 R>>\nstartxref\n${at}\n%%EOF\n`,
        ),
      ),
    );
    return Buffer.concat(pieces);
  }

  private out(piece: Buffer): Buffer {
    this.length += piece.length;
    return piece;
  }
}

const CATALOGUE = 1;
const PAGES = 2;
const INFO = 3;

/** Any text as PDF writes it: UTF-16, in hexadecimal. */
function textString(text: string): string {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}

function referenced(objects: Map<number, PdfObject>, number: number, key: string): number {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(objects.get(number)?.head ?? '')?.[1];
  if (found === undefined) throw new PdfUnreadable(`it has no ${key}`);
  return Number(found);
}
