/** Heap limit in megabytes: enough for the rows of well over a hundred thousand books. */
const HEAP_MB = 512;

/** What Node is told for the printing process. V8 takes what it compiled before only under the same flags. */
export const PRINT_FLAGS = [`--max-old-space-size=${HEAP_MB}`];
