import { type Html, html } from 'latchkey/plugin'

/** A button by which somebody who is signed in adds a passkey; shown by the script. */
export function addPasskeyForm(basePath: string): Html {
  return html`<form id="add-passkey" action="${basePath}/callback/passkey" method="post" hidden>
<input type="hidden" name="action" value="register">
<input type="hidden" name="callbackUrl" value="/">
<input type="hidden" name="data" value="">
<button class="button" type="submit">Add a passkey</button>
<p class="note" role="status"></p>
</form>`
}

/**
 * What an application's page does for that, with what browsers have: asks for options, has the
 * authenticator make a passkey, posts it.
 */
export const addPasskeyScript = `
const form = document.getElementById('add-passkey')
const status = form.querySelector('[role=status]')
form.hidden = !globalThis.PublicKeyCredential?.parseCreationOptionsFromJSON
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  status.textContent = ''
  try {
    const url = form.getAttribute('action').replace('/callback/', '/webauthn-options/')
    const answer = await fetch(url + '?action=register')
    if (!answer.ok) throw new Error('the site gave no options')
    const { options } = await answer.json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const credential = await navigator.credentials.create({ publicKey })
    form.elements.data.value = JSON.stringify(credential)
    HTMLFormElement.prototype.submit.call(form)
  } catch (error) {
    status.textContent =
      error.name === 'InvalidStateError'
        ? 'This device has a passkey for this account already.'
        : 'No passkey was created. Try again.'
  }
})
`
