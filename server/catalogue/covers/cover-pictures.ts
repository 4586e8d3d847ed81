import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import sharp from 'sharp';
import { COVER_FIELD, COVER_TYPES } from '#contracts/catalogue/book-save.js';
import { RequestInvalid } from '../../http/validation.js';

/** A cover as it is kept and served. */
export interface Cover {
  /** WebP. */
  bytes: Buffer;
  /** Of the bytes. */
  hash: string;
}

/** The largest box that any screen shows a cover in, twice over for fine screens. */
const BOX = { width: 600, height: 1200 };
/** A page scanned at 600 dpi is below; a small file that unfolds to gigabytes is above. */
const MAX_PIXELS = 45_000_000;
const QUALITY = 82;
const LONGEST_SECONDS = 20;

type CoverType = (typeof COVER_TYPES)[number];

/** Makes covers of files that somebody sent. Nothing of the file itself is kept: its pixels are drawn anew. */
@Injectable()
export class CoverPictures {
  /** One at a time: each may take some hundred megabytes while it is being drawn. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param file as it came; neither its name nor its declared type is looked at
   * @throws RequestInvalid naming what a cover may be
   */
  make(file: Buffer): Promise<Cover> {
    const made = this.last.then(() => draw(file));
    this.last = made.catch(() => undefined);
    return made;
  }
}

async function draw(file: Buffer): Promise<Cover> {
  const type = typeOf(file);
  if (!type) throw refused('The cover has to be a JPEG, PNG, WebP, GIF or AVIF picture.');
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) {
      throw refused(
        `The cover has ${width} × ${height} pixels: at most ${MAX_PIXELS / 1e6} million can be read.`,
      );
    }
    // Of several pictures in one file the first is taken. What is not asked to be kept (positions, names of
    // cameras, previews) is left out.
    const bytes = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: LONGEST_SECONDS })
      .autoOrient()
      .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
  } catch (error) {
    if (error instanceof RequestInvalid) throw error;
    throw refused(`The cover cannot be read: the ${NAMES[type]} file is damaged or incomplete.`);
  }
}

function refused(message: string): RequestInvalid {
  return new RequestInvalid({ [COVER_FIELD]: [message] });
}

const NAMES: Record<CoverType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'image/avif': 'AVIF',
};

/**
 * What the file is by its first bytes. The picture library tells formats apart by the same bytes, so that no other
 * reader of its (of SVG, PDF, TIFF) ever sees a file that somebody sent.
 */
function typeOf(file: Buffer): CoverType | undefined {
  const ascii = (from: number, to: number) => file.toString('latin1', from, to);
  if (file.length < 16) return undefined;
  if (file.readUIntBE(0, 3) === 0xff_d8_ff) return 'image/jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(4, 8) === 'ftyp' && /^avi[fs]$/.test(ascii(8, 12))) return 'image/avif';
  return undefined;
}
