/** Passwords: a button that shows what was typed, and a hint while Caps Lock is on. */
for (const button of document.querySelectorAll<HTMLElement>('[data-show]')) {
  const field = document.getElementById(button.dataset['show'] ?? '') as HTMLInputElement
  const set = (isShown: boolean): void => {
    field.type = isShown ? 'text' : 'password'
    button.setAttribute('aria-pressed', String(isShown))
  }
  button.addEventListener('click', () => {
    set(field.type === 'password')
    field.focus()
  })
  // Browsers offer to save what a password field sends.
  field.form?.addEventListener('submit', () => set(false))
}

for (const hint of document.querySelectorAll<HTMLElement>('[data-caps]')) {
  const field = document.getElementById(hint.dataset['caps'] ?? '')
  field?.addEventListener('keyup', (event) => {
    hint.hidden = !event.getModifierState('CapsLock')
  })
  field?.addEventListener('blur', () => {
    hint.hidden = true
  })
}
