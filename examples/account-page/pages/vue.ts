import {
  useAccount,
  useConnections,
  usePasskeys,
  useSessions,
  useTwoFactor,
} from 'latchkey/plugins/accounts/vue'
import type { TotpSecret } from 'latchkey/plugins/two-factor/client'
import { createApp, shallowRef } from 'vue'
import { attempt, client, qrCodeOf, titleOf, valueOf } from './client.ts'

createApp({
  setup() {
    const message = shallowRef('')
    const secret = shallowRef<TotpSecret>()
    const codes = shallowRef<readonly string[]>([])
    const twoFactor = useTwoFactor(client)
    const connections = useConnections(client)
    /** Calls a function, and shows what became of it. */
    const act = async (change: () => Promise<unknown>): Promise<void> => {
      message.value = await attempt(change)
    }
    return {
      message,
      secret,
      codes,
      act,
      account: useAccount(client),
      passkeys: usePasskeys(client),
      connections,
      twoFactor,
      sessions: useSessions(client),
      valueOf,
      titleOf,
      qrCodeOf,
      enrol: () =>
        act(async () => {
          secret.value = await twoFactor.value.enrol()
        }),
      confirm: (code: string) =>
        act(async () => {
          const { recoveryCodes } = await twoFactor.value.confirm({
            id: secret.value?.id ?? '',
            code,
          })
          secret.value = undefined
          codes.value = recoveryCodes ?? []
        }),
      link: (provider: string) =>
        act(async () => location.assign((await connections.value.link({ provider })).url)),
    }
  },
  template: `
    <p role="status">{{ message }}</p>
    <p v-if="account.error" role="alert">{{ account.error.message }}</p>
    <section v-else-if="account.data" id="profile">
      <h2>{{ account.data.user.name ?? account.data.user.email }}</h2>
      <p>{{ account.data.user.email }}</p>
      <form @submit="(event) => { const name = valueOf(event, 'name'); act(() => account.update({ name })) }">
        <input name="name" aria-label="Name" :value.attr="account.data.user.name">
        <button>Save</button>
      </form>
    </section>
    <p v-else>Loading …</p>
    <section id="passkeys">
      <h2>Passkeys</h2>
      <ul>
        <li v-for="{ id, name } of passkeys.data" :key="id">
          <form @submit="(event) => { const name = valueOf(event, 'name'); act(() => passkeys.rename({ id, name })) }">
            <input name="name" aria-label="Name of the passkey" :value.attr="name">
            <button>Rename</button>
          </form>
          <button @click="act(() => passkeys.remove({ id }))">Remove</button>
        </li>
      </ul>
      <button @click="act(() => passkeys.add())">Add a passkey</button>
    </section>
    <section id="connections">
      <h2>Connected accounts</h2>
      <ul>
        <li v-for="{ id, name } of connections.data?.links" :key="id">
          <span>{{ name }}</span>
          <button @click="act(() => connections.unlink({ id }))">Disconnect</button>
        </li>
        <li v-for="{ id, name } of connections.data?.available" :key="id">
          <span>{{ name }}</span>
          <button @click="link(id)">Connect</button>
        </li>
      </ul>
    </section>
    <section id="two-factor">
      <h2>Two-factor authentication</h2>
      <ul>
        <li v-for="{ id, name } of twoFactor.data?.factors" :key="id">
          <span>{{ name }}</span>
          <button @click="act(() => twoFactor.remove({ id }))">Remove</button>
        </li>
      </ul>
      <form v-if="secret" @submit="(event) => confirm(valueOf(event, 'code'))">
        <img :src="qrCodeOf(secret)" :alt="secret.uri" width="200">
        <input name="code" aria-label="Code of the app" inputmode="numeric" autocomplete="one-time-code">
        <button>Confirm</button>
      </form>
      <button v-else @click="enrol">Add an authenticator app</button>
      <pre v-if="codes.length">{{ codes.join('\\n') }}</pre>
    </section>
    <section id="sessions">
      <h2>Where you are signed in</h2>
      <ul>
        <li v-for="session of sessions.data" :key="session.id">
          <span>{{ titleOf(session) }}</span>
          <button @click="act(() => sessions.end(session.id))">Sign out</button>
        </li>
      </ul>
      <button @click="act(() => sessions.endOthers())">Sign out everywhere else</button>
    </section>`,
}).mount('#root')
