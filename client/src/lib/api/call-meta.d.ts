import '@tanstack/react-query';

interface CallMeta extends Record<string, unknown> {
  /** The screen shows the failure itself. */
  inPlace?: boolean;
  /** The screen shows how far it is: it takes long, and nobody has to wait for it. */
  showsProgress?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: CallMeta;
    queryMeta: CallMeta;
  }
}
