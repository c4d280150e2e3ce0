import {
  useAccount,
  useConnections,
  usePasskeys,
  useSessions,
  useTwoFactor,
} from 'latchkey/plugins/accounts/solid'
import type { TotpSecret } from 'latchkey/plugins/two-factor/client'
import { createSignal, For, Show } from 'solid-js'
import html from 'solid-js/html'
import { render } from 'solid-js/web'
import { attempt, client, qrCodeOf, titleOf, valueOf } from './client.ts'

/** With tagged templates, since this example has no compiler of JSX for Solid. */
function AccountPage() {
  const account = useAccount(client)
  const passkeys = usePasskeys(client)
  const connections = useConnections(client)
  const twoFactor = useTwoFactor(client)
  const sessions = useSessions(client)
  const [message, setMessage] = createSignal('')
  const [secret, setSecret] = createSignal<TotpSecret>()
  const [codes, setCodes] = createSignal<readonly string[]>([])

  /** Calls a function, and shows what became of it. */
  const act = async (change: () => Promise<unknown>): Promise<void> => {
    setMessage(await attempt(change))
  }
  const save = (event: Event): void => {
    const name = valueOf(event, 'name')
    void act(() => account().update({ name }))
  }
  const rename = (event: Event, id: string): void => {
    const name = valueOf(event, 'name')
    void act(() => passkeys().rename({ id, name }))
  }
  const confirm = (event: Event): void => {
    const code = valueOf(event, 'code')
    void act(async () => {
      const { recoveryCodes } = await twoFactor().confirm({ id: secret()?.id ?? '', code })
      setSecret(undefined)
      setCodes(recoveryCodes ?? [])
    })
  }
  const enrol = (): void => void act(async () => setSecret(await twoFactor().enrol()))
  const link = (provider: string): void =>
    void act(async () => location.assign((await connections().link({ provider })).url))

  return html`
    <p role="status">${message}</p>
    <section id="profile">
      <h2>${() => account().data?.user.name ?? account().data?.user.email ?? account().error?.message}</h2>
      <p>${() => account().data?.user.email}</p>
      <form onSubmit=${save}>
        <input name="name" aria-label="Name" value=${() => account().data?.user.name ?? ''} />
        <button>Save</button>
      </form>
    </section>
    <section id="passkeys">
      <h2>Passkeys</h2>
      <ul>
        <${For} each=${() => passkeys().data ?? []}>${({
          id,
          name,
        }: {
          id: string
          name: string
        }) => html`
          <li>
            <form onSubmit=${(event: Event) => rename(event, id)}>
              <input name="name" aria-label="Name of the passkey" value=${name} />
              <button>Rename</button>
            </form>
            <button onClick=${() => act(() => passkeys().remove({ id }))}>Remove</button>
          </li>`}<//>
      </ul>
      <button onClick=${() => act(() => passkeys().add())}>Add a passkey</button>
    </section>
    <section id="connections">
      <h2>Connected accounts</h2>
      <ul>
        <${For} each=${() => connections().data?.links ?? []}>${({
          id,
          name,
        }: {
          id: string
          name: string
        }) => html`
          <li>
            <span>${name}</span>
            <button onClick=${() => act(() => connections().unlink({ id }))}>Disconnect</button>
          </li>`}<//>
        <${For} each=${() => connections().data?.available ?? []}>${({
          id,
          name,
        }: {
          id: string
          name: string
        }) => html`
          <li>
            <span>${name}</span>
            <button onClick=${() => link(id)}>Connect</button>
          </li>`}<//>
      </ul>
    </section>
    <section id="two-factor">
      <h2>Two-factor authentication</h2>
      <ul>
        <${For} each=${() => twoFactor().data?.factors ?? []}>${({
          id,
          name,
        }: {
          id: string
          name: string
        }) => html`
          <li>
            <span>${name}</span>
            <button onClick=${() => act(() => twoFactor().remove({ id }))}>Remove</button>
          </li>`}<//>
      </ul>
      <${Show} when=${secret} fallback=${html`<button onClick=${enrol}>Add an authenticator app</button>`}>
        ${() => html`
          <form onSubmit=${confirm}>
            <img src=${() => secret() && qrCodeOf(secret()!)} alt=${() => secret()?.uri} width="200" />
            <input name="code" aria-label="Code of the app" inputmode="numeric" autocomplete="one-time-code" />
            <button>Confirm</button>
          </form>`}
      <//>
      <${Show} when=${() => codes().length > 0}>
        <pre>${() => codes().join('\n')}</pre>
      <//>
    </section>
    <section id="sessions">
      <h2>Where you are signed in</h2>
      <ul>
        <${For} each=${() => sessions().data ?? []}>${(
          session: Parameters<typeof titleOf>[0],
        ) => html`
          <li>
            <span>${titleOf(session)}</span>
            <button onClick=${() => act(() => sessions().end(session.id))}>Sign out</button>
          </li>`}<//>
      </ul>
      <button onClick=${() => act(() => sessions().endOthers())}>Sign out everywhere else</button>
    </section>`
}

render(AccountPage, document.querySelector('#root')!)
