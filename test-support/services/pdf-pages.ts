import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';

/** A piece of text on a page, with its place from the upper left corner in millimetres. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
}

/** A part of a page, in millimetres from the upper left corner. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface PdfPage {
  width: number;
  height: number;
  texts: PlacedText[];
  /** The barcodes that a scanner reads in each of these areas, of the page as a printer with 300 dots an inch has it. */
  barcodes: (areas: Area[]) => Promise<string[][]>;
}

const MM = 25.4 / 72;
const DOTS = 300;

/** Held the right way round, as black on white and in the size in which it is printed. */
const SCANNER: ReaderOptions = {
  formats: ['Code128'],
  tryHarder: true,
  tryRotate: false,
  tryInvert: false,
  tryDownscale: false,
};

prepareZXingModule({
  overrides: {
    // Of the package; by itself it would be fetched from the web.
    wasmBinary: readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
      .buffer,
  },
});

/** Reads a PDF with another program than the one that made or checked it. */
export async function withPdfPages(
  pdf: Uint8Array,
  look: (page: PdfPage, at: number) => Promise<void> | void,
) {
  const loading = getDocument({ data: Uint8Array.from(pdf), verbosity: VerbosityLevel.ERRORS });
  const document = await loading.promise;
  // oxlint-disable-next-line typescript/no-explicit-any
  const canvases = document.canvasFactory as any;
  try {
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const { items } = await page.getTextContent();
      const texts = items.flatMap((item) =>
        'str' in item && item.str !== ''
          ? [{ text: item.str, x: item.transform[4] * MM, y: (height - item.transform[5]) * MM }]
          : [],
      );
      const barcodes = async (areas: Area[]) => {
        const viewport = page.getViewport({ scale: DOTS / 72 });
        const { canvas, context } = canvases.create(viewport.width, viewport.height);
        await page.render({ canvasContext: context, viewport }).promise;
        const dots = (millimetres: number) => Math.round((millimetres / 25.4) * DOTS);
        const found: string[][] = [];
        for (const { left, top, width: wide, height: high } of areas) {
          const picture = context.getImageData(dots(left), dots(top), dots(wide), dots(high));
          const read = await readBarcodes(picture, SCANNER);
          found.push(read.map(({ text }) => text));
        }
        canvases.destroy({ canvas, context });
        return found;
      };
      await look({ width: width * MM, height: height * MM, texts, barcodes }, number - 1);
      page.cleanup();
    }
    return document.numPages;
  } finally {
    await loading.destroy();
  }
}
