/** A link only where the text is an address of the web: a publisher's website is free text. */
export function Website({ url }: { url: string }) {
  const address = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  if (!URL.canParse(address) || !/^[\w.-]+\.[a-z]{2,}/i.test(url.replace(/^https?:\/\//i, ''))) return url;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {url}
    </a>
  );
}
