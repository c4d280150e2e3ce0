/**
 * Computes the answer to the challenge of a form: it begins when somebody uses the form, and the form is sent when
 * it is found. An answer that is about to expire is found anew.
 */
const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))

/** Milliseconds before its expiry from which an answer is not sent. */
const MARGIN = 20_000

for (const field of document.querySelectorAll<HTMLInputElement>('[data-work]')) {
  let until = 0
  let working: Promise<void> | undefined

  const solve = async (): Promise<void> => {
    const challenge = await (await fetch(field.dataset['work'] ?? '')).json()
    const { nonce, salt, cost, keyLength, keyPrefix, expiresAt } = challenge.parameters
    const start = bytes(nonce)
    const password = new Uint8Array(start.length + 4)
    password.set(start)
    const view = new DataView(password.buffer)
    for (let counter = 0; ; counter++) {
      view.setUint32(start.length, counter)
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost }
      const bits = await crypto.subtle.deriveBits(how, key, keyLength * 8)
      const derivedKey = Array.from(new Uint8Array(bits), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join('')
      if (!derivedKey.startsWith(keyPrefix)) continue
      field.value = btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
      until = expiresAt * 1000 - MARGIN
      return
    }
  }

  // A form that cannot be solved is sent as it is, and the page says so.
  const work = (): Promise<void> =>
    (working ??= solve()
      .catch(() => {
        until = Infinity
      })
      .finally(() => {
        working = undefined
      }))

  const { form } = field
  form?.addEventListener('focusin', () => {
    if (Date.now() > until) void work()
  })
  form?.addEventListener('submit', (event) => {
    if (Date.now() <= until) return
    event.preventDefault()
    const { submitter } = event
    submitter?.setAttribute('aria-busy', 'true')
    void work().then(() => form.requestSubmit(submitter))
  })
}
