import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PICTURE_TYPES } from '#contracts/pictures.js';
import * as m from '#words/messages.js';
import { RequestInvalid } from './validation.js';

/** What a picture is for. */
export interface PicturePurpose {
  /** The form field of its file. */
  field: string;
  /** What it is. */
  name: 'cover' | 'logo';
  /** Pixels, at most. */
  box: { width: number; height: number };
}

/** A picture that is stored. */
export interface Picture {
  /** WebP. */
  bytes: Buffer;
  /** Of the bytes. */
  hash: string;
}

/** Above a page scanned at 600 dpi, and below decompression bombs. */
const MAX_PIXELS = 45_000_000;
const QUALITY = 82;
const LONGEST_SECONDS = 20;

type PictureType = (typeof PICTURE_TYPES)[number];

/** Makes pictures of uploaded files. Nothing of the file itself is kept: its pixels are encoded again. */
@Injectable()
export class UploadedPictures {
  /** Serialized: each may take some hundred megabytes. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param file the upload; its name and declared type are ignored
   * @throws RequestInvalid naming the accepted formats
   */
  make(file: Buffer, purpose: PicturePurpose): Promise<Picture> {
    const made = this.last.then(() => draw(file, purpose));
    this.last = made.catch(() => undefined);
    return made;
  }
}

async function draw(file: Buffer, { field, name, box }: PicturePurpose): Promise<Picture> {
  const refused = (message: string) => new RequestInvalid({ [field]: [message] });
  const type = typeOf(file);
  if (!type) throw refused(m.error_picture_format({ of: name }));
  // Loaded with the first picture: no start waits for it.
  const { default: sharp } = await import('sharp');
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) {
      throw refused(m.error_picture_pixels({ of: name, width, height, most: MAX_PIXELS / 1e6 }));
    }
    // Of several images in one file, the first is used. Metadata (positions, cameras, previews) is dropped by default.
    const bytes = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: LONGEST_SECONDS })
      .autoOrient()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
  } catch (error) {
    if (error instanceof RequestInvalid) throw error;
    throw refused(m.error_picture_damaged({ of: name, format: NAMES[type] }));
  }
}

const NAMES: Record<PictureType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'image/avif': 'AVIF',
};

/**
 * Detects the format by the first bytes, as the image library does: uploads never reach its other decoders (SVG, PDF,
 * TIFF).
 */
function typeOf(file: Buffer): PictureType | undefined {
  const ascii = (from: number, to: number) => file.toString('latin1', from, to);
  if (file.length < 16) return undefined;
  if (file.readUIntBE(0, 3) === 0xff_d8_ff) return 'image/jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(4, 8) === 'ftyp' && /^avi[fs]$/.test(ascii(8, 12))) return 'image/avif';
  return undefined;
}
