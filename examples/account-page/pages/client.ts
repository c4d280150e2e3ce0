import { createAuthClient } from 'latchkey/client'
import { stepUpClient } from 'latchkey/client/step-up'
import type { SessionInfo } from 'latchkey/plugins/sessions/client'
import type { TotpSecret } from 'latchkey/plugins/two-factor/client'

export const client = createAuthClient({ basePath: '/auth' })
const { stepUp } = stepUpClient(client)

const SENTENCES: Readonly<Record<string, string>> = {
  invalid_code: 'This code is wrong or too old.',
  invalid_input: 'This cannot be used.',
  last_way_in: 'This is the last way to sign in. Add another one first.',
  last_factor: 'You must have a second factor. Add another one first.',
  too_many_attempts: 'Too many attempts. Try again later.',
}

/**
 * Calls a function that changes the account. If the sign-in is too long ago, the browser goes to the page that asks for a
 * proof, and comes back.
 *
 * @returns what to tell the visitor.
 */
export async function attempt(change: () => Promise<unknown>): Promise<string> {
  try {
    await change()
    return 'Saved.'
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    if (code === 'reauthentication_required') await stepUp()
    return SENTENCES[code] ?? message
  }
}

/** Returns the value of a field of the form that is sent. */
export function valueOf(
  event: { readonly target: EventTarget | null; preventDefault(): void },
  name: string,
): string {
  event.preventDefault()
  return String(new FormData(event.target as HTMLFormElement).get(name) ?? '')
}

/** Returns what a session is called. */
export function titleOf({ name, device, current }: SessionInfo): string {
  const { browser, system } = device ?? {}
  const title = name ?? ([browser, system].filter(Boolean).join(', ') || 'Unknown device')
  return current ? `${title} (this browser)` : title
}

/** Returns the address of an image with the QR code. */
export function qrCodeOf({ svg }: TotpSecret): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
