import { createServer } from 'node:http';
import { Server } from 'socket.io';

/** What the floor's process is asked: to send so many messages, one every so many milliseconds. */
export interface FloorOrder {
  messages: number;
  every: number;
}

/** When each message was sent (milliseconds since 1970), by its text. */
export type FloorAnswer = Record<string, number>;

const PAGE = `<!doctype html><title>floor</title><p id="text"></p><script src="/socket.io/socket.io.min.js"></script>
<script>io({ transports: ['websocket'] }).on('text', (text) => (document.getElementById('text').textContent = text));</script>`;

/** A bare socket.io server and a page that shows the text that it is sent. Runs in a process of its own. */
export function runLiveFloor(): void {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  const sockets = new Server(server);
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
  });
  let sent = 0;
  process.on('message', ({ messages, every }: FloorOrder) => {
    const times: FloorAnswer = {};
    let left = messages;
    const timer = setInterval(() => {
      sent += 1;
      times[`message ${sent}`] = Date.now();
      sockets.emit('text', `message ${sent}`);
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      process.send?.(times);
    }, every);
  });
  process.once('disconnect', () => void sockets.close());
}
