import '@tanstack/react-query';

interface CallMeta extends Record<string, unknown> {
  /** The screen shows the failure itself. */
  inPlace?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: CallMeta;
    queryMeta: CallMeta;
  }
}
