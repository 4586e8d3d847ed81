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
      for (const toast of toasts) window.told.push({ kind: toast.className, text: toast.innerText, asked: [] });
    }
  }).observe(document, { childList: true, subtree: true });`;

/**
 * An expression that is true if a toast said these words since they were last asked for.
 * @param kind a part of its class, for one that said just these
 */
export const wasTold = (words: string, kind = ''): string => `(() => {
  const words = ${JSON.stringify(words)};
  const said = ({ kind, text }) => {
    const line = text.replaceAll(/\\s+/g, ' ').trim();
    return ${kind === '' ? 'line.includes(words)' : `kind.includes(${JSON.stringify(kind)}) && line === words`};
  };
  const those = (window.told ?? []).filter((each) => said(each) && !each.asked.includes(words));
  for (const each of those) each.asked.push(words);
  return those.length > 0;
})()`;
