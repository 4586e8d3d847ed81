import { setNonce } from 'get-nonce';
import { z } from 'zod';

// Compiling schemas needs `eval`, which the page's content policy rightly refuses. The first schema that is made
// tries it, so this comes before all others.
z.config({ jitless: true });

// The policy lets only such style elements be added as have this page's nonce: that of an open dialog needs it.
setNonce(document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '');
