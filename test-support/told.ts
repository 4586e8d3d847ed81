/**
 * Keeps what toasts of a page said. They go by themselves after five seconds, which on a busy machine may be over before
 * anybody looks; what was asked for once is forgotten, as it is to be told anew the next time.
 */
export const KEEP_TOLD = `
  window.told = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) {
      if (node.nodeType !== 1) continue;
      const toasts = node.matches('.Toastify__toast') ? [node] : node.querySelectorAll('.Toastify__toast');
      for (const toast of toasts) window.told.push({ kind: toast.className, text: toast.innerText });
    }
  }).observe(document, { childList: true, subtree: true });`;

/**
 * An expression that is true if a toast said these words since they were last asked for.
 * @param kind a part of its class, for one that said just these
 */
export const wasTold = (words: string, kind = ''): string => `(() => {
  const said = ({ kind, text }) => {
    const line = text.replaceAll(/\\s+/g, ' ').trim();
    return ${kind === '' ? `line.includes(${JSON.stringify(words)})` : `kind.includes(${JSON.stringify(kind)}) && line === ${JSON.stringify(words)}`};
  };
  const isTold = window.told?.some(said) === true;
  if (isTold) window.told = window.told.filter((each) => !said(each));
  return isTold;
})()`;
