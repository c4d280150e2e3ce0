/** How good a new password is: an estimate that rewards length. The server decides. */
for (const meter of document.querySelectorAll<HTMLElement>('[data-meter]')) {
  const { meter: id = '', text = '', words = '[]', least: shortest } = meter.dataset
  const field = document.getElementById(id) as HTMLInputElement
  const hint = document.getElementById(text)
  const error = document.getElementById(`${id}-error`)
  const rule = hint?.textContent ?? ''
  const names = JSON.parse(words) as string[]
  const least = Number(shortest)
  field.addEventListener('input', () => {
    // It was about the password before.
    error?.remove()
    field.removeAttribute('aria-invalid')
    const { value } = field
    const { length } = value
    const isMonotonous = new Set(value).size < Math.min(8, length / 2)
    let score = 4
    if (length < least || isMonotonous) score = 1
    else if (length < least + 4) score = 2
    else if (length < least + 9) score = 3
    if (value === '') score = 0
    meter.dataset['score'] = String(score)
    if (hint) hint.textContent = names[score - 1] ?? rule
  })
}
