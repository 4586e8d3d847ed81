/** How often a hidden tab catches up. */
const HIDDEN_FLUSH_MS = 1000;

export interface MessageBuffer<Message> {
  push(message: Message): void;
  stop(): void;
}

/**
 * Passes messages on at once while the tab is visible. In the background it batches them, so that a busy library costs a
 * hidden tab only one update a second.
 */
export function messageBuffer<Message>(hand: (message: Message) => void): MessageBuffer<Message> {
  let waiting: Message[] = [];
  let timer: number | undefined;
  const flush = () => {
    window.clearTimeout(timer);
    timer = undefined;
    const messages = waiting;
    waiting = [];
    messages.forEach(hand);
  };
  const onVisible = () => {
    if (!document.hidden) flush();
  };
  document.addEventListener('visibilitychange', onVisible);
  return {
    push(message) {
      if (!document.hidden && waiting.length === 0) return hand(message);
      waiting.push(message);
      timer ??= window.setTimeout(flush, HIDDEN_FLUSH_MS);
    },
    stop() {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
      waiting = [];
    },
  };
}
