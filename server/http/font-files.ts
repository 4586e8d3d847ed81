import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { FONT_FILES } from '#platform/palette.js';

const { resolve } = createRequire(import.meta.url);

/** The faces of the house, for pages that the site's build does not make: `/type/inter-latin-wght-normal.woff2`. */
export function serveFontFiles(): Router {
  const router = Router();
  for (const { source, file } of FONT_FILES) {
    const path = join(dirname(resolve(`${source}/package.json`)), 'files', file);
    router.get(`/type/${file}`, (_request, response) => response.sendFile(path, { maxAge: '7d' }));
  }
  return router;
}
