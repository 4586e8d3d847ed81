import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of loopback that nobody may call: it counts who does, by HTTP or by a bare connection. */
export interface Canary {
  /** `127.0.0.1:4711` */
  host: string;
  calls: string[];
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('found');
  });
  server.on('connection', () => calls.push('connection'));
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Texts that would call the canary, run a script or show a file if they were taken for HTML. */
export function canaryTexts(host: string): string[] {
  const script = `fetch('http://${host}/fetch');new WebSocket('ws://${host}/ws');navigator.sendBeacon('http://${host}/beacon');document.body.append('RAN')`;
  return [
    `<script>${script}</script>`,
    `<img src="http://${host}/img" onerror="${script}">`,
    `"><svg onload="${script}"><image href="http://${host}/svg"/></svg>`,
    `<iframe src="http://${host}/frame"></iframe><iframe src="file:///etc/passwd"></iframe>`,
    `</title></style><style>@import url(http://${host}/css);body{background:url(http://${host}/bg)}</style>`,
    `<link rel="stylesheet" href="http://${host}/link"><link rel="dns-prefetch preconnect prefetch" href="http://${host}/">`,
    `<object data="http://${host}/object"></object><embed src="http://${host}/embed">`,
    `<meta http-equiv="refresh" content="0;url=http://${host}/refresh"><base href="http://${host}/">`,
    `<form action="http://${host}/form"><input autofocus onfocus="${script}"></form>`,
    `<a href="javascript:${script}" ping="http://${host}/ping">x</a>{{constructor.constructor('${script}')()}}`,
    `<video src="http://${host}/video" poster="http://${host}/poster"></video><math><mtext><script>${script}</script>`,
    `--><!--[if]><x:include href="file:///etc/passwd"/>]]>`,
  ];
}
