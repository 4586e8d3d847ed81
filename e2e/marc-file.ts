/** A record as a test writes it. What it says is put in as it is: a `<` makes it damaged. */
interface WrittenRecord {
  control: string;
  title: string;
  isbns: readonly string[];
}

const written = ({ control, title, isbns }: WrittenRecord) => `<record>
  <leader>00000nam a2200000 i 4500</leader>
  <controlfield tag="001">${control}</controlfield>
  ${isbns.map((isbn) => `<datafield tag="020" ind1=" " ind2=" "><subfield code="a">${isbn}</subfield></datafield>`).join('')}
  <datafield tag="245" ind1="0" ind2="0"><subfield code="a">${title.replaceAll('&', '&amp;')} /</subfield></datafield>
  <datafield tag="520" ind1=" " ind2=" "><subfield code="a">As the union catalogue tells it.</subfield></datafield>
</record>`;

/** A file of MARCXML. */
export const marcXml = (records: readonly WrittenRecord[]): string =>
  `<collection xmlns="http://www.loc.gov/MARC21/slim">${records.map(written).join('\n')}</collection>`;
