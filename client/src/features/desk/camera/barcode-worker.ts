import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';
import reader from 'zxing-wasm/reader/zxing_reader.wasm?url';

/** What labels and cards have, and what is printed on books. */
const OPTIONS: ReaderOptions = {
  formats: ['Code128', 'EAN-13', 'EAN-8', 'UPC-A'],
  tryHarder: true,
  maxNumberOfSymbols: 1,
};

// The library serves it itself.
prepareZXingModule({ overrides: { locateFile: () => reader } });

/** Answers each picture with what its barcode says; null where it has none that can be read. */
addEventListener('message', ({ data }: MessageEvent<ImageData>) => {
  readBarcodes(data, OPTIONS).then(
    ([found]) => postMessage({ text: found?.text ?? null }),
    (error: unknown) => postMessage({ trouble: String(error) }),
  );
});
