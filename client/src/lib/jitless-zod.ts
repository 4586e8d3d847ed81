/**
 * The schema library, as the build gives it to whoever imports it. Compiling schemas needs `eval`, which the page's content
 * policy rightly refuses; the first schema that is made tries it, so this is set before.
 */
import { config } from 'zod/v4';

config({ jitless: true });

export * from 'zod/v4';
