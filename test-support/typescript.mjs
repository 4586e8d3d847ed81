// For `NODE_OPTIONS=--import=…`: Node runs TypeScript as it is written, with the metadata of decorators.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
// A worker that runs tests starts what they test as it is shipped.
if (process.send) delete process.env.NODE_OPTIONS;
