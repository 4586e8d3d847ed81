import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '../../../components/form/button.js';
import { Notice } from '../../../components/dialog/notice.js';
import { barcodeReader } from './barcode-reader.js';

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
    <section className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2" aria-label="Camera">
      {trouble === undefined ? (
        <>
          <video
            ref={video}
            className="flex-[1_0_100%] w-full max-h-64 rounded bg-[#000] object-cover"
            playsInline
            muted
          />
          <p className="note">Hold a label, a card or an ISBN before the camera.</p>
        </>
      ) : (
        <Notice>{trouble}</Notice>
      )}
      <Button size="small" onClick={onClose}>
        Close the camera
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
  if (name === 'NotAllowedError')
    return 'The browser does not let this page use the camera. Allow it beside the address, and open the camera again.';
  if (name === 'NotFoundError' || name === 'OverconstrainedError')
    return 'This device has no camera that the page could use.';
  return 'The camera could not be opened. Close what else uses it, and open it again; a scanner and the keyboard go on working.';
}
