import { createAuthClient, settle } from 'latchkey/client'
import { type PasswordsErrorCode, passwordsClient } from 'latchkey/plugins/passwords/client'
import { type ReactNode, type SubmitEvent, useState } from 'react'

const { signUp } = passwordsClient(createAuthClient())

type Code = PasswordsErrorCode | 'unreachable'
const SENTENCES: Partial<Record<Code, string>> = {
  password_refused: 'Choose another password.',
  too_many_attempts: 'Try again later.',
}

export function SignUp(): ReactNode {
  const [message, setMessage] = useState('')
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { error } = await settle(
      signUp({ email: String(form.get('email')), password: String(form.get('password')) }),
    )
    setMessage(error ? (SENTENCES[error.code] ?? error.message) : 'Check your email.')
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <input name="email" type="email" aria-label="Email" />
      <input name="password" type="password" aria-label="Password" />
      <button type="submit">Create account</button>
      <p role="status">{message}</p>
    </form>
  )
}
