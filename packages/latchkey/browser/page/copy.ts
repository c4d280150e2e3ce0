/** Buttons that copy the value of a field, and say so. */
for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) {
  const label = button.querySelector('span') as HTMLElement
  const { textContent } = label
  const { copy = '', done = '' } = button.dataset
  button.addEventListener('click', () => {
    const field = document.getElementById(copy) as HTMLInputElement
    navigator.clipboard.writeText(field.value).then(
      () => {
        label.textContent = done
        const live = document.getElementById('live')
        if (live) live.textContent = done
        setTimeout(() => (label.textContent = textContent), 2000)
      },
      () => field.select(),
    )
  })
}
