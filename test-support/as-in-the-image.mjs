// Loaded before an entry of the product (`node --import`): packages that the image does not have are not found, neither
// by imports nor by require. ABSENT names folders below node_modules besides those of the development packages.
import { readFileSync } from 'node:fs';
import Module, { register } from 'node:module';

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const absent = Object.keys(packages).filter((path) => packages[path].dev);
absent.push(...(process.env.ABSENT ?? '').split(' ').map((name) => `node_modules/${name}`));

const hooks = `
  const absent = new Set(${JSON.stringify(absent)});
  export function isAbsent(file) {
    const path = /\\/(node_modules\\/(?:.*\\/node_modules\\/)?((?:@[^/]+\\/)?[^/]+))/.exec(file);
    return path !== null && (absent.has(path[1]) || absent.has('node_modules/' + path[2].split('/')[0]));
  }
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    if (isAbsent(found.url))
      throw Object.assign(new Error('Not in the image: ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
    return found;
  }`;
const source = `data:text/javascript,${encodeURIComponent(hooks)}`;
const { isAbsent } = await import(source);
register(source);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
  const file = resolveFilename.call(this, request, ...rest);
  if (isAbsent(file))
    throw Object.assign(new Error(`Not in the image: ${request}`), { code: 'MODULE_NOT_FOUND' });
  return file;
};
