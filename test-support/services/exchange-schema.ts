import { readFileSync } from 'node:fs';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';
import { packageRoot } from '#platform/package-root.js';

const grammar = readFileSync(`${packageRoot()}/test-support/schemas/exchange.rng`, 'utf8');
const validator = RelaxNGValidator.fromDoc(XmlDocument.fromString(grammar));

/**
 * What is answered to other programs, as it came.
 * @throws where it is not what its standard says
 */
export function validExchange(xml: string): string {
  const document = XmlDocument.fromString(xml);
  try {
    validator.validate(document);
    return xml;
  } finally {
    document.dispose();
  }
}
