/**
 * The script of the sign-in page, for the forms of passkey providers. `tools/make-page-scripts.ts`
 * makes one file of it and of what it imports; it knows the page only by its attributes, so that it
 * is the same text, with the same hash, on every site.
 */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

type Options =
  | { action: 'register'; options: PublicKeyCredentialCreationOptionsJSON }
  | { action: 'authenticate'; options: PublicKeyCredentialRequestOptionsJSON }

/** Milliseconds after which a challenge that waits for the browser's list of passkeys is drawn anew. */
const FRESH = 10 * 60 * 1000

let waiting: ReturnType<typeof setTimeout> | undefined

/** The browser keeps one challenge, the latest; an answer to an earlier one is not sent. */
let latest = 0

/** The request for options that is under way: of two at once nobody knows which challenge is kept. */
let asking: Promise<unknown> = Promise.resolve()

/** Something that the visitor is told as it stands. */
class Message extends Error {}

/** The site has no options for this. */
class Refusal extends Message {
  override message = 'Check what you entered and try again.'
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  if (browserSupportsWebAuthn()) setUp(form)
  else for (const button of buttonsOf(form)) button.remove()
}

/** The form and its button may stand apart, among the other ways to sign in. */
function buttonsOf(form: HTMLFormElement): HTMLButtonElement[] {
  return [...form.elements].filter((each) => each instanceof HTMLButtonElement)
}

function setUp(form: HTMLFormElement): void {
  form.hidden = false
  for (const button of buttonsOf(form)) button.hidden = false
  document.getElementById(`${form.id}-missing`)?.remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    setBusy(form, true)
    say(form, '')
    askAndAnswer(form).catch((error: unknown) => {
      setBusy(form, false)
      say(form, textOf(error))
      void offer(form)
    })
  })
  // Back from where the form led, the page may be as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    setBusy(form, false)
    if (persisted) void offer(form)
  })
  void offer(form)
}

/** What the button does: as the site says, makes a passkey or uses one. */
async function askAndAnswer(form: HTMLFormElement): Promise<void> {
  latest++
  const fields = fieldsOf(form)
  const { action, options } = await fetchOptions(form, fields).catch((error: unknown) => {
    // Who is signed in has to say what they want: here, to prove it again.
    if (error instanceof Refusal) return fetchOptions(form, { ...fields, action: 'authenticate' })
    throw error
  })
  if (action === 'authenticate') {
    answer(form, action, await startAuthentication({ optionsJSON: options }))
  } else if (inputsOf(form).every((field) => field.reportValidity())) {
    answer(form, action, await startRegistration({ optionsJSON: options }))
  } else {
    throw new Message('')
  }
}

/** Has the browser offer passkeys where it fills in the address. */
async function offer(form: HTMLFormElement): Promise<void> {
  if (!('autofill' in form.dataset)) return
  clearTimeout(waiting)
  const mine = ++latest
  try {
    if (!(await browserSupportsWebAuthnAutofill()) || mine !== latest) return
    // Without the fields: the visitor may choose any passkey from the browser's list.
    const { action, options } = await fetchOptions(form, { action: 'authenticate' })
    if (action !== 'authenticate' || mine !== latest) return
    waiting = setTimeout(() => void offer(form), FRESH)
    const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
    if (mine === latest) answer(form, action, response)
  } catch {
    // Nobody chose one, or the button was pressed; the button says what goes wrong.
  }
}

function fetchOptions(form: HTMLFormElement, params: Record<string, string>): Promise<Options> {
  const answered = asking.then(() => request(form, params))
  asking = answered.catch(() => undefined)
  return answered
}

async function request(form: HTMLFormElement, params: Record<string, string>): Promise<Options> {
  // `form.action` may be a field of that name.
  const callback = new URL(form.getAttribute('action') ?? '', location.href)
  const usual = `../webauthn-options/${form.dataset['passkey'] ?? ''}?${new URLSearchParams(params)}`
  const { options } = form.dataset
  let response: Response
  try {
    response = await (options === undefined
      ? fetch(new URL(usual, callback))
      : fetch(options, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }))
  } catch {
    throw new Message('The site could not be reached. Try again.')
  }
  if (response.status === 400) throw new Refusal()
  if (!response.ok) throw new Message('The site could not do this right now. Try again later.')
  return (await response.json()) as Options
}

/** What was entered. A field may be left empty, but not be wrong. */
function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const filled = inputsOf(form).filter(({ value }) => value !== '')
  if (!filled.every((field) => field.reportValidity())) throw new Refusal()
  return Object.fromEntries(filled.map(({ name, value }) => [name, value]))
}

/** Its own fields, and the field of the page for whatever way of signing in. */
function inputsOf(form: HTMLFormElement): HTMLInputElement[] {
  const id = CSS.escape(form.id)
  const selector = `#${id} [data-form-field],[data-form-field="${id}"]`
  return [...document.querySelectorAll<HTMLInputElement>(selector)]
}

/** Sends what the authenticator signed. Nothing may draw another challenge while it is on its way. */
function answer(form: HTMLFormElement, action: string, response: object): void {
  setBusy(form, true)
  setField(form, 'action', action)
  setField(form, 'data', JSON.stringify(response))
  // Boxes that count for every way to sign in.
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-for-all]:checked'))
    setField(form, box.name, box.value)
  HTMLFormElement.prototype.submit.call(form)
}

function setField(form: HTMLFormElement, name: string, value: string): void {
  let input = form.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`)
  if (!input) {
    input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    form.append(input)
  }
  input.value = value
}

/** Without its button a form is not sent by the keyboard either. */
function setBusy(form: HTMLFormElement, busy: boolean): void {
  for (const button of buttonsOf(form)) button.disabled = busy
}

function say({ id }: HTMLFormElement, text: string): void {
  const place = document.getElementById(`${id}-status`)
  if (place) place.textContent = text
}

function textOf(error: unknown): string {
  if (error instanceof Message) return error.message
  const { name, code = '' } = error as { name?: string; code?: string }
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
    return 'This device has a passkey for this account already. Sign in with it.'
  }
  if (code.includes('MISSING') || code.includes('NO_SUPPORTED')) {
    return 'This device cannot make such a passkey. Try another one.'
  }
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return 'Nothing happened: it was cancelled, there is no passkey for it here, or it took too long. Try again.'
  }
  return 'That did not work. Try again.'
}
