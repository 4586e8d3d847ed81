import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib';

/** What the joined document says of itself. */
export interface DocumentInfo {
  title: string;
  author: string;
  madeAt: Date;
}

/** Reads a PDF, without pauses for others: nobody else is in the printing process. */
export function readPdf(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
    throwOnInvalidObject: true,
  });
}

/** Begins the document that printed pages are joined to. */
export async function newPdf({ title, author, madeAt }: DocumentInfo): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setAuthor(author);
  document.setProducer('Lectern');
  document.setCreationDate(madeAt);
  document.setLanguage('en');
  return document;
}

/** Puts all pages of another document behind those that are there. */
export async function addPages(document: PDFDocument, other: PDFDocument): Promise<void> {
  for (const page of await document.copyPages(other, other.getPageIndices())) document.addPage(page);
}

/** The bytes of the file. Compressing its few objects beside the pages would take as long as all the rest. */
export async function writePdf(document: PDFDocument): Promise<Buffer> {
  const bytes = await document.save({
    useObjectStreams: false,
    objectsPerTick: Infinity,
    addDefaultPage: false,
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
