import { z } from 'zod';

// Compiling schemas needs `eval`, which the page's content policy rightly refuses. The first schema that is made
// tries it, so this comes before all others.
z.config({ jitless: true });
