import type { Response } from 'express';

const TYPES = { csv: 'text/csv', json: 'application/json' };

/** Answers with a file to be saved. @param name its ending says what it is: `.csv`, `.json` */
export function sendFile(response: Response, file: Buffer, name: `${string}.${keyof typeof TYPES}`): void {
  response.setHeader('content-type', `${name.endsWith('.json') ? TYPES.json : TYPES.csv}; charset=utf-8`);
  response.setHeader('content-disposition', `attachment; filename="${name}"`);
  response.setHeader('cache-control', 'no-store');
  response.end(file);
}
