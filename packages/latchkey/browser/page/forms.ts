/** Forms: the pressed button is busy until the next page is there, and nothing is sent twice. */
for (const element of document.querySelectorAll<HTMLElement>('[data-script]'))
  element.hidden = false

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (event.defaultPrevented) return
  if (form.dataset['sent']) {
    event.preventDefault()
    return
  }
  form.dataset['sent'] = '1'
  event.submitter?.setAttribute('aria-busy', 'true')
})

// The browser shows the page again as it was left.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLElement>('[data-sent]'))
    delete form.dataset['sent']
  for (const button of document.querySelectorAll('[aria-busy]')) button.removeAttribute('aria-busy')
})
