/**
 * Times of the last month, as people say them: the exact time becomes the title. It stands before them in the page, and
 * changes each before the browser paints it: a line that became shorter afterwards would move what follows.
 */
const { lang } = document.documentElement
const format = new Intl.RelativeTimeFormat(lang, { numeric: 'auto' })
const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const done = new Set<Element>()

const observer = new MutationObserver(sayTimes)
observer.observe(document.body, { childList: true, subtree: true })
addEventListener('DOMContentLoaded', () => {
  observer.disconnect()
  sayTimes()
})

function sayTimes(): void {
  const last = lastNode()
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-relative]')) {
    // Of the element at the end, the parser may not have read the whole text yet.
    const isRead = document.readyState !== 'loading' || !element.contains(last)
    if (!isRead || done.has(element)) continue
    done.add(element)
    say(element)
  }
}

function lastNode(): Node {
  let node: Node = document.body
  while (node.lastChild) node = node.lastChild
  return node
}

function say(element: HTMLTimeElement): void {
  // What has happened is not in the future, whatever the clock of the visitor says.
  const seconds = Math.max(0, Date.now() - Date.parse(element.dateTime)) / 1000
  const unit = UNITS.find(([, length]) => seconds >= length)
  if (seconds > 30 * 86_400) return
  element.title = element.textContent
  element.textContent = unit
    ? format.format(-Math.trunc(seconds / unit[1]), unit[0])
    : format.format(0, 'minute')
}
