/** Lets the page be as one that a library of this time zone served; an empty name: one of no server. */
export function servedInTimeZone(name: string): void {
  document.head.querySelector('meta[name="lectern-time-zone"]')?.remove();
  const element = document.createElement('meta');
  element.name = 'lectern-time-zone';
  element.content = name;
  document.head.append(element);
}
