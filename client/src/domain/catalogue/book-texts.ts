/** "Harry Potter, volume 1", "Darkest Powers, volumes 1-3"; empty for a book of no series. */
export function seriesText({ series, volume }: { series: string | null; volume: string | null }): string {
  if (series === null) return '';
  return volume === null ? series : `${series}, ${volumeText(volume)}`;
}

/** "volume 1", "volumes 1-3" */
export function volumeText(volume: string): string {
  return `${/\d ?[-–&+,] ?\d/.test(volume) ? 'volumes' : 'volume'} ${volume}`;
}
