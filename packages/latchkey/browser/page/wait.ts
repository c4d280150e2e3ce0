/** Buttons that wait some seconds before they may be pressed again. The server counts, too. */
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-wait]')) {
  const label = button.textContent
  const { wait = '', waiting = '' } = button.dataset
  const end = Date.now() + Number(wait) * 1000
  const tick = (): void => {
    const left = Math.ceil((end - Date.now()) / 1000)
    button.disabled = left > 0
    button.textContent = left > 0 ? waiting.replace('%', String(left)) : label
    if (left > 0) setTimeout(tick, 1000)
  }
  tick()
}
