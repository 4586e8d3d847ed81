/** The address as a program that knows the token asks for it. */
export function withToken(address: URL, token: string): URL {
  address.searchParams.set('token', token);
  return address;
}
