import '@tanstack/react-query';

interface CallMeta extends Record<string, unknown> {
  /** The screen shows the failure itself, or a failure of some kinds. */
  inPlace?: boolean | ((error: unknown) => boolean);
  /** The screen shows how far it is: it takes long, and nobody has to wait for it. */
  showsProgress?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: CallMeta;
    queryMeta: CallMeta;
  }
}
