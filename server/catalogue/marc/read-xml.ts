import { SaxesParser } from 'saxes';

interface Reader {
  /** @param from where its tag begins */
  open: (name: string, attributes: Readonly<Record<string, string>>, from: number) => void;
  /** @param text that came since the last tag @param to where its tag ends */
  close: (name: string, text: string, to: number) => void;
  /** What is thrown for what is not well-formed. */
  refusal: (reason: string) => Error;
}

/** Reads XML element by element, whatever prefixes it uses. */
export function readXml(xml: string, { open, close, refusal }: Reader): void {
  let text = '';
  const parser = new SaxesParser();
  const more = (characters: string) => (text += characters);
  parser.on('error', ({ message }) => {
    throw refusal(message);
  });
  parser.on('text', more);
  parser.on('cdata', more);
  parser.on('opentag', ({ name, attributes }) => {
    text = '';
    open(localName(name), attributes, xml.lastIndexOf('<', parser.position - 1));
  });
  parser.on('closetag', ({ name }) => {
    close(localName(name), text, parser.position);
    text = '';
  });
  parser.write(xml).close();
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);
