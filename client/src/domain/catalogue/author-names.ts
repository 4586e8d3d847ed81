interface Written {
  authors: readonly { firstname: string; lastname: string }[];
}

/** "Terry Pratchett, Neil Gaiman" */
export function authorNames({ authors }: Written): string {
  return authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`.trim()).join(', ');
}
