const weekdays = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' });

/** "Thursday". @param day `yyyy-MM-dd` */
export const weekdayName = (day: string) => weekdays.format(new Date(day));
