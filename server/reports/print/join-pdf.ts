import { ParseSpeeds, PDFDocument } from '@cantoo/pdf-lib';

/** Metadata of the joined document. */
export interface DocumentInfo {
  title: string;
  author: string;
  madeAt: Date;
}

/** Parses a PDF without yielding: the printing process has nothing else to do. */
export function readPdf(pdf: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(pdf, {
    updateMetadata: false,
    parseSpeed: ParseSpeeds.Fastest,
    throwOnInvalidObject: true,
  });
}

/** Creates the document that printed pages are appended to. */
export async function newPdf({ title, author, madeAt }: DocumentInfo): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setAuthor(author);
  document.setProducer('Lectern');
  document.setCreationDate(madeAt);
  document.setLanguage('en');
  return document;
}

/** Appends all pages of another document. */
export async function addPages(document: PDFDocument, other: PDFDocument): Promise<void> {
  for (const page of await document.copyPages(other, other.getPageIndices())) document.addPage(page);
}

/** The bytes of the file. Compressing its few other objects would take as long as all the rest. */
export async function writePdf(document: PDFDocument): Promise<Buffer> {
  const bytes = await document.save({
    useObjectStreams: false,
    objectsPerTick: Infinity,
    addDefaultPage: false,
  });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
