import { createAuthClient } from 'better-auth/react'
import { type ReactNode, type SubmitEvent, useState } from 'react'

const client = createAuthClient()

type Code = keyof typeof client.$ERROR_CODES
const SENTENCES: Partial<Record<Code, string>> = {
  PASSWORD_TOO_SHORT: 'Choose another password.',
  USER_ALREADY_EXISTS: 'You have an account.',
}

export function SignUp(): ReactNode {
  const [message, setMessage] = useState('')
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { error } = await client.signUp.email({
      email: String(form.get('email')),
      password: String(form.get('password')),
      name: '',
    })
    const code = error?.code as Code | undefined
    if (!error) setMessage('Check your email.')
    else setMessage((code && SENTENCES[code]) ?? error.message ?? '')
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
