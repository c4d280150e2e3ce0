/** Codes: a complete one is sent at once, in whatever form it was pasted. A refused one is not sent again. */
for (const field of document.querySelectorAll<HTMLInputElement>('[data-length]')) {
  let sent = field.getAttribute('aria-invalid') === 'true' ? field.value : ''
  field.addEventListener('input', () => {
    const code = field.value.normalize('NFKC').replace(/[\s-]/g, '')
    if (!/^\d+$/.test(code)) return
    if (field.value !== code) field.value = code
    if (String(code.length) !== field.dataset['length'] || code === sent) return
    sent = code
    field.form?.requestSubmit()
  })
}
