// A `.spec.ts` renders nothing, and does not wait for the library that would.
if (expect.getState().testPath?.endsWith('.tsx')) {
  const { configure } = await import('@testing-library/react');
  // The usual second is no measure on a busy machine. A query that finds what it waits for returns at once all the same.
  configure({ asyncUtilTimeout: 60_000 });
}

export {};
