// Compresses the files of the built site once, as well as can be, so that the server only sends them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Texts; fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/;
/** Bytes below which a file fits into one packet either way. */
const WORTH_IT = 1_000;

const WAYS = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** @param folder the built site */
export async function compressSite(folder) {
  const assets = join(folder, 'assets');
  const files = readdirSync(assets).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(files.map((name) => compress(join(assets, name))));
}

async function compress(file) {
  const content = readFileSync(file);
  if (content.length < WORTH_IT) return;
  for (const [ending, way] of Object.entries(WAYS)) {
    const compressed = await way(content);
    if (compressed.length < content.length) writeFileSync(`${file}.${ending}`, compressed);
  }
}
