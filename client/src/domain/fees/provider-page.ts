/**
 * The provider's page as a full address: one of the web, or of this site. Null for everything else (another
 * protocol, a script, an address that only looks like one of ours).
 */
export function providerPage(redirectUrl: string): string | null {
  if (!URL.canParse(redirectUrl, window.location.href)) return null;
  const page = new URL(redirectUrl, window.location.href);
  const ofTheWeb = /^https?:\/\//i.test(redirectUrl);
  return ofTheWeb || page.origin === window.location.origin ? page.href : null;
}
