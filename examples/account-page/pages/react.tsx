import {
  useAccount,
  useConnections,
  usePasskeys,
  useSessions,
  useTwoFactor,
} from 'latchkey/plugins/accounts/react'
import type { TotpSecret } from 'latchkey/plugins/two-factor/client'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { attempt, client, qrCodeOf, titleOf, valueOf } from './client.ts'

interface SectionProps {
  /** Calls a function, and shows what became of it. */
  act(change: () => Promise<unknown>): void
}

function Profile({ act }: SectionProps): ReactNode {
  const { data, error, update } = useAccount(client)
  if (error) return <p role="alert">{error.message}</p>
  if (!data) return <p>Loading …</p>
  const { name, email } = data.user
  const save = (event: SubmitEvent): void => {
    const chosen = valueOf(event, 'name')
    act(() => update({ name: chosen }))
  }
  return (
    <section id="profile">
      <h2>{name ?? email}</h2>
      <p>{email}</p>
      <form onSubmit={save}>
        <input name="name" aria-label="Name" defaultValue={name ?? ''} />
        <button type="submit">Save</button>
      </form>
    </section>
  )
}

function Passkeys({ act }: SectionProps): ReactNode {
  const { data = [], add, rename, remove } = usePasskeys(client)
  return (
    <section id="passkeys">
      <h2>Passkeys</h2>
      <ul>
        {data.map(({ id, name }) => (
          <li key={id}>
            <form
              onSubmit={(event) => {
                const chosen = valueOf(event, 'name')
                act(() => rename({ id, name: chosen }))
              }}
            >
              <input name="name" aria-label="Name of the passkey" defaultValue={name} />
              <button type="submit">Rename</button>
            </form>
            <button type="button" onClick={() => act(() => remove({ id }))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => act(() => add())}>
        Add a passkey
      </button>
    </section>
  )
}

function Connections({ act }: SectionProps): ReactNode {
  const { data, link, unlink } = useConnections(client)
  return (
    <section id="connections">
      <h2>Connected accounts</h2>
      <ul>
        {data?.links.map(({ id, name }) => (
          <li key={id}>
            <span>{name}</span>
            <button type="button" onClick={() => act(() => unlink({ id }))}>
              Disconnect
            </button>
          </li>
        ))}
        {data?.available.map(({ id, name }) => (
          <li key={id}>
            <span>{name}</span>
            <button
              type="button"
              onClick={() => act(async () => location.assign((await link({ provider: id })).url))}
            >
              Connect
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function TwoFactor({ act }: SectionProps): ReactNode {
  const { data, enrol, confirm, remove } = useTwoFactor(client)
  const [secret, setSecret] = useState<TotpSecret>()
  const [codes, setCodes] = useState<readonly string[]>([])
  const check = (event: SubmitEvent): void => {
    const code = valueOf(event, 'code')
    act(async () => {
      const { recoveryCodes } = await confirm({ id: secret?.id ?? '', code })
      setSecret(undefined)
      setCodes(recoveryCodes ?? [])
    })
  }
  return (
    <section id="two-factor">
      <h2>Two-factor authentication</h2>
      <ul>
        {data?.factors.map(({ id, name }) => (
          <li key={id}>
            <span>{name}</span>
            <button type="button" onClick={() => act(() => remove({ id }))}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      {secret ? (
        <form onSubmit={check}>
          <img src={qrCodeOf(secret)} alt={secret.uri} width="200" />
          <input
            name="code"
            aria-label="Code of the app"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          <button type="submit">Confirm</button>
        </form>
      ) : (
        <button type="button" onClick={() => act(async () => setSecret(await enrol()))}>
          Add an authenticator app
        </button>
      )}
      {codes.length > 0 && <pre>{codes.join('\n')}</pre>}
    </section>
  )
}

function Sessions({ act }: SectionProps): ReactNode {
  const { data = [], end, endOthers } = useSessions(client)
  return (
    <section id="sessions">
      <h2>Where you are signed in</h2>
      <ul>
        {data.map((session) => (
          <li key={session.id}>
            <span>{titleOf(session)}</span>
            <button type="button" onClick={() => act(() => end(session.id))}>
              Sign out
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => act(() => endOthers())}>
        Sign out everywhere else
      </button>
    </section>
  )
}

function AccountPage(): ReactNode {
  const [message, setMessage] = useState('')
  const act = (change: () => Promise<unknown>): void => void attempt(change).then(setMessage)
  return (
    <>
      <p role="status">{message}</p>
      <Profile act={act} />
      <Passkeys act={act} />
      <Connections act={act} />
      <TwoFactor act={act} />
      <Sessions act={act} />
    </>
  )
}

createRoot(document.querySelector('#root')!).render(<AccountPage />)
