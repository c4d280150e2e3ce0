/** Creates the passkey of the page when its form is sent, and sends the response of the browser with it. */
export const createPasskey = `(() => {
  const box = document.querySelector('[data-passkey-options]')
  const show = (name, isShown) => { document.querySelector('[data-passkey-' + name + ']').hidden = !isShown }
  show('script', false)
  const { PublicKeyCredential } = window
  if (!PublicKeyCredential?.parseCreationOptionsFromJSON) return show('unsupported', true)
  box.hidden = false
  const form = box.querySelector('form')
  form.addEventListener('submit', async (event) => {
    if (form.elements.data.value !== '') return
    event.preventDefault()
    event.stopImmediatePropagation()
    show('failed', false)
    try {
      const options = JSON.parse(box.dataset.passkeyOptions)
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const credential = await navigator.credentials.create({ publicKey })
      form.elements.data.value = JSON.stringify(credential.toJSON())
      form.requestSubmit()
    } catch {
      show('failed', true)
    }
  }, true)
})()`

/** Tells the browser which passkeys of the account it may still offer. */
export const signalPasskeys = `(() => {
  const { PublicKeyCredential } = window
  const { rpId, userId, ids } = JSON.parse(document.querySelector('[data-accepted]').dataset.accepted)
  PublicKeyCredential?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: ids }).catch(() => {})
})()`

/** Lets a browser that saved the password just now make a passkey beside it, without a question (WebAuthn level 3). */
export const upgradeToPasskey = `(async () => {
  const { PublicKeyCredential } = window
  const can = await PublicKeyCredential?.getClientCapabilities?.()
  if (!can?.conditionalCreate) return
  const { options, add, added } = JSON.parse(document.querySelector('[data-passkey-upgrade]').dataset.passkeyUpgrade)
  const send = async (path, fields) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(fields) })
    if (!answer.ok) throw new Error(answer.status)
    return answer.json()
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await send(options, {}))
  const made = await navigator.credentials.create({ publicKey, mediation: 'conditional' })
  await send(add, { data: JSON.stringify(made), conditional: true })
  location.assign(added)
})().catch(() => {})`
