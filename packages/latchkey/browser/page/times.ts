/** Times of the last month, as people say them: the exact time becomes the title. */
const { lang } = document.documentElement
const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
  const seconds = (Date.parse(element.dateTime) - Date.now()) / 1000
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length)
  if (Math.abs(seconds) > 30 * 86_400) continue
  element.title = element.textContent
  element.textContent = unit
    ? format.format(Math.trunc(seconds / unit[1]), unit[0])
    : format.format(0, 'minute')
}
