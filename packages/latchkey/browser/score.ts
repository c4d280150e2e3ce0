/** Asks the service of a challenge with a score for an answer when a form is sent. */
interface Service {
  ready(then: () => void): void
  execute(key: string, options: { action: string }): Promise<string>
}

for (const field of document.querySelectorAll<HTMLInputElement>('[data-score-key]')) {
  field.form?.addEventListener('submit', (event) => {
    const { grecaptcha } = globalThis as { grecaptcha?: Service }
    if (field.value !== '' || !grecaptcha) return
    event.preventDefault()
    const { submitter } = event
    const { scoreKey = '', scoreAction = '' } = field.dataset
    grecaptcha.ready(() => {
      void grecaptcha.execute(scoreKey, { action: scoreAction }).then((answer) => {
        field.value = answer
        field.form?.requestSubmit(submitter)
      })
    })
  })
}
