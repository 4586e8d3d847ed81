/** What the pages of the site say of the library: `title`, `set-up`. */
export async function siteFact(url: string, name: string): Promise<string | undefined> {
  const page = await (await fetch(url)).text();
  return new RegExp(`<meta name="lectern-${name}" content="([^"]*)"`).exec(page)?.[1];
}
