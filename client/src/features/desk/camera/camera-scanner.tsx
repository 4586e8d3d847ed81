import * as m from '#words/messages.js';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../../components/form/button.js';
import { Notice } from '../../../components/dialog/notice.js';

/** Milliseconds between two looks. */
const BETWEEN_LOOKS = 150;
/** Milliseconds that a label has to be out of sight to be read once more. */
const OUT_OF_SIGHT = 1200;

interface CameraScannerProps {
  onScan: (text: string) => void;
  onClose: () => void;
}

/** The camera of a phone as a scanner: whatever label, card or ISBN is held before it is scanned once. */
export function CameraScanner({ onScan, onClose }: CameraScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [trouble, setTrouble] = useState<string>();
  const scan = useEffectEvent(onScan);
  useEffect(() => {
    const { current: element } = video;
    if (!element) return;
    const end = new AbortController();
    watch(element, (text) => scan(text), end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) setTrouble(wordsOf(error));
    });
    return () => end.abort();
  }, []);
  return (
    <section
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
      aria-label={m.desk_camera()}
    >
      {trouble === undefined ? (
        <>
          <video
            ref={video}
            className="flex-[1_0_100%] w-full max-h-64 rounded bg-[#000] object-cover"
            playsInline
            muted
          />
          <p className="note">{m.desk_camera_hint()}</p>
        </>
      ) : (
        <Notice>{trouble}</Notice>
      )}
      <Button size="small" onClick={onClose}>
        {m.desk_camera_close()}
      </Button>
    </section>
  );
}

/** Shows what the camera sees, and tells what is read in it, until it is ended. */
async function watch(
  video: HTMLVideoElement,
  onText: (text: string) => void,
  end: AbortSignal,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
  });
  const reader = await barcodeReader();
  try {
    video.srcObject = stream;
    await video.play();
    let seen: { text: string; at: number } | undefined;
    while (!end.aborted) {
      const text = await reader.read(video);
      const now = performance.now();
      if (text !== undefined) {
        const isSame = seen?.text === text && now - seen.at < OUT_OF_SIGHT;
        seen = { text, at: now };
        if (!isSame && !end.aborted) onText(text);
      }
      await new Promise((done) => setTimeout(done, BETWEEN_LOOKS));
    }
  } finally {
    reader.close();
    for (const track of stream.getTracks()) track.stop();
  }
}

function wordsOf(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError') return m.desk_camera_not_allowed();
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return m.desk_camera_none();
  return m.desk_camera_failed();
}

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
async function barcodeReader(): Promise<BarcodeReader> {
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
        worker.onerror = () => reject(new Error('The barcode reader could not be loaded.'));
        worker.postMessage(picture, [picture.data.buffer]);
      }),
  };
}
