/** Reads the barcode in a moment of a video. */
interface BarcodeReader {
  /** @returns what it says; nothing where none can be read */
  read: (video: HTMLVideoElement) => Promise<string | undefined>;
  close: () => void;
}

/** The browser's own, where it has one (https://wicg.github.io/shape-detection-api/). */
interface Detector {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats: () => Promise<string[]>;
}

const FORMATS = ['code_128', 'ean_13'];

/** The browser's own, else one that the library serves, which is loaded only then. */
export async function barcodeReader(): Promise<BarcodeReader> {
  const own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const known = own ? await own.getSupportedFormats().catch(() => []) : [];
  if (own && FORMATS.every((format) => known.includes(format))) {
    const detector = new own({ formats: FORMATS });
    return {
      read: async (video) => (await detector.detect(video))[0]?.rawValue,
      close: () => undefined,
    };
  }
  return readerInWorker();
}

type Answer = { text: string | null } | { trouble: string };

/** Pixels of a picture's longer side: enough for the bars of a label held a hand away. */
const WIDEST = 1280;

function readerInWorker(): BarcodeReader {
  const worker = new Worker(new URL('./barcode-worker.ts', import.meta.url), {
    type: 'module',
    name: 'barcodes',
  });
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  return {
    close: () => worker.terminate(),
    read: (video) =>
      new Promise((resolve, reject) => {
        const { videoWidth: width, videoHeight: height } = video;
        if (!pen || width === 0 || height === 0) {
          resolve(undefined);
          return;
        }
        const scale = Math.min(1, WIDEST / Math.max(width, height));
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
        pen.drawImage(video, 0, 0, canvas.width, canvas.height);
        const picture = pen.getImageData(0, 0, canvas.width, canvas.height);
        worker.onmessage = ({ data }: MessageEvent<Answer>) => {
          if ('trouble' in data) reject(new Error(data.trouble));
          else resolve(data.text ?? undefined);
        };
        worker.onerror = () => reject(new Error('The reader of barcodes could not be loaded.'));
        worker.postMessage(picture, [picture.data.buffer]);
      }),
  };
}
