/** Buttons that save the text of a field as a file, and that print the page. */
for (const button of document.querySelectorAll<HTMLElement>('[data-save]')) {
  button.addEventListener('click', () => {
    const { save = '', name = '' } = button.dataset
    const field = document.getElementById(save) as HTMLTextAreaElement
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${field.value}\n`], { type: 'text/plain' }))
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  })
}
for (const button of document.querySelectorAll('[data-print]'))
  button.addEventListener('click', () => print())
