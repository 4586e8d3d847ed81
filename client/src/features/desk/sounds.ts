import { readStored, writeStored, createStore, useStore } from '../../lib/store.js';
import type { DeskLine } from './desk-lines.js';

const KEY = 'deskSound';
const sounding = createStore(readStored(KEY) !== 'off');

export function useSound(): { isOn: boolean; toggle: () => void } {
  const isOn = useStore(sounding);
  return {
    isOn,
    toggle: () => {
      writeStored(KEY, isOn ? 'off' : 'on');
      sounding.set(!isOn);
    },
  };
}

/** Tones, one after the other: hertz and seconds. Told apart without looking, and without hearing well. */
const TONES: Record<DeskLine['tone'], readonly (readonly [number, number])[]> = {
  good: [[1320, 0.07]],
  heed: [
    [880, 0.1],
    [660, 0.14],
  ],
  kept: [
    [880, 0.08],
    [1175, 0.08],
    [1568, 0.16],
  ],
  refused: [
    [220, 0.18],
    [196, 0.26],
  ],
  plain: [[660, 0.06]],
};
const VOLUME = 0.12;

let context: AudioContext | undefined;

/** Says by ear what became of a scan. A browser without sound is silent. */
export function sound(tone: DeskLine['tone']): void {
  if (!sounding.get() || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // Until somebody has touched the page, it may not make a sound; that is no trouble.
  if (context.state === 'suspended') context.resume().catch(() => undefined);
  const volume = context.createGain();
  volume.gain.value = VOLUME;
  volume.connect(context.destination);
  let at = context.currentTime;
  for (const [hertz, seconds] of TONES[tone]) {
    const tone = context.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(volume);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds + 0.02;
  }
}
