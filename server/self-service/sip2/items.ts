/** As a device can ask for it, where its label was scanned. */
export const itemOf = ({ copy, title }: { copy: string | null; title: string }) => copy ?? title;
