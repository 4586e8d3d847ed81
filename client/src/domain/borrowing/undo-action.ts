/** For a button that undoes a step; its code comes when it is pressed. */
export function undoAction(undo: (undoing: typeof import('./undo-steps.js')) => Promise<void>) {
  return {
    word: 'Undo',
    onAct: () => {
      import('./undo-steps.js').then(undo).catch((error: unknown) => window.reportError?.(error));
    },
  };
}
