// Harvests a catalogue by a client that others wrote, as a process of its own. Told `{ url, options, pauseEvery }`, it tells of each
// record, and after so many of them goes on only when it is told to.
import { once } from 'node:events';
import client from 'oai-pmh';

const [{ url, options, pauseEvery }] = await once(process, 'message');
let told = 0;
for await (const { header, metadata } of new client.OaiPmh(url).listRecords(options)) {
  process.send({
    identifier: header.identifier,
    isDeleted: header.$?.status === 'deleted',
    title: metadata?.['oai_dc:dc']['dc:title'],
  });
  told += 1;
  if (told % pauseEvery !== 0) continue;
  process.send('paused');
  await once(process, 'message');
}
process.send('done', () => process.disconnect());
