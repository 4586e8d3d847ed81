import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Router } from 'express';
import { HOUSE_FONTS } from '#platform/paper.js';

const { resolve } = createRequire(import.meta.url);

/** The faces of the house, for pages that the site's build does not make: `/type/inter-latin-wght-normal.woff2`. */
export function houseType(): Router {
  const router = Router();
  for (const { source, file } of HOUSE_FONTS) {
    const path = join(dirname(resolve(`${source}/package.json`)), 'files', file);
    router.get(`/type/${file}`, (_request, response) => response.sendFile(path, { maxAge: '7d' }));
  }
  return router;
}
