/** The tabs of choices.ts: one press chooses for all pages. */

/** Pixels before the tab of the shown part, if the tabs do not fit in a line. */
const MARGIN = 40

/** Marks the tab of each group whose part is shown. */
export function markChosen(): void {
  for (const group of document.querySelectorAll<HTMLElement>('.choice')) {
    const tabs = [...group.querySelectorAll<HTMLElement>('.choice-tabs > button')]
    const chosen = document.documentElement.getAttribute(`data-${group.dataset['by']}`)
    const shown = tabs.find(({ dataset }) => dataset['of'] === chosen) ?? tabs[0]
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab === shown))
    const list = shown?.parentElement
    if (shown && list) list.scrollLeft = shown.offsetLeft - list.offsetLeft - MARGIN
  }
}

/** Listens for presses, as long as the site is open. */
export function listenForChoices(): void {
  document.addEventListener('click', ({ target }) => {
    const tab =
      target instanceof Element ? target.closest<HTMLElement>('.choice-tabs > button') : null
    const kind = tab?.closest<HTMLElement>('.choice')?.dataset['by']
    const chosen = tab?.dataset['of']
    if (!tab || kind === undefined || chosen === undefined) return
    const before = tab.getBoundingClientRect().top
    document.documentElement.setAttribute(`data-${kind}`, chosen)
    try {
      localStorage.setItem(`latchkey:${kind}`, chosen)
    } catch {
      // Without storage the choice lasts until the page is loaded again.
    }
    markChosen()
    // Other groups above may have changed their height.
    window.scrollBy(0, tab.getBoundingClientRect().top - before)
  })
}
