import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { locationOf, passwordSignIn, strategies } from '../../../../tests/attacks/support/site.ts'
import { API, tokensApi, tokensSite } from '../../../../tests/support/tokens-site.ts'
import { atomic } from '../../../model/adapter.ts'
import { limits } from '../../limits/index.ts'
import { sessions } from '../../sessions/index.ts'
import { tokens } from '../index.ts'
import { challengeOf } from '../native/codes.ts'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CALLBACK = 'com.example.app:/callback'
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

test.each(strategies)(
  'T-ST-29: no log holds a token, a code or a key, with %s sessions',
  async (strategy) => {
    const { world } = await tokensSite({
      strategy,
      config: {
        debug: true,
        plugins: [
          limits({ store: 'process' }),
          sessions(),
          tokens({
            jwt: { audiences: { [API]: {} } },
            apiKeys: { actsAsSession: true },
            device: { clients: [{ id: 'cli', name: 'CLI' }] },
            native: { clients: [{ id: 'app', name: 'App', redirectUris: [CALLBACK] }] },
          }),
        ],
      },
    })
    await passwordSignIn(world)
    const secrets: string[] = []
    const read = async (answer: Response | Promise<Response>) =>
      (await (await answer).json()) as Record<string, string>
    const keep = (...found: (string | undefined)[]) => {
      for (const each of found) {
        expect(each?.length).toBeGreaterThan(8)
        secrets.push(each ?? '')
      }
    }
    const program = world.otherBrowser()
    const asked = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

    const jwt = (await read(world.get('/auth/token')))['access_token'] ?? ''
    keep(jwt)
    await program.get('/auth/token/check', asked(`${jwt}x`))
    const { token: key } = await tokensApi(world).createKey({ userId: 'ada' }, { name: 'CI' })
    keep(key, key.slice(20))
    for (const each of [key, `${key}x`]) await program.get('/auth/session', asked(each))
    await program.get('/auth/sessions/list', asked(key))

    const device = await read(program.postWithoutCsrf('/auth/device/code', { client_id: 'cli' }))
    keep(device['device_code'], device['user_code'])
    await world.post('/auth/device/enter', { user_code: 'BBBB-BBBB' })
    await world.post('/auth/device/enter', { user_code: device['user_code'] ?? '' })
    await world.post('/auth/device/decide', { decision: 'allow' })
    const poll = { grant_type: GRANT, device_code: device['device_code'] ?? '', client_id: 'cli' }
    const held = (await read(program.postWithoutCsrf('/auth/device/token', poll)))['access_token']
    keep(held, held?.slice(26))

    const query = new URLSearchParams({
      client_id: 'app',
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: await challengeOf(VERIFIER),
      code_challenge_method: 'S256',
      state: 'state of the app',
    })
    const began = await world.get(`/auth/native/start?${query}`)
    const [, flow = ''] = /flow=([\w-]{16})/.exec(locationOf(began)) ?? []
    const agreed = await world.post('/auth/native/approve', { decision: 'allow', flow })
    const { code = '' } = Object.fromEntries(new URLSearchParams(locationOf(agreed).split('?')[1]))
    keep(code, VERIFIER)
    const trade = { grant_type: 'authorization_code', code, code_verifier: VERIFIER }
    const redeem = () =>
      program.postWithoutCsrf('/auth/native/token', {
        ...trade,
        client_id: 'app',
        redirect_uri: CALLBACK,
      })
    const app = (await read(redeem()))['access_token']
    keep(app, app?.slice(26))
    await redeem()
    // A store that fails while they are under way.
    const abilities = world.config.adapter?.[atomic] ?? {}
    abilities.getRecord = () => Promise.reject(new Error('the store is away'))
    for (const each of [held, app, key]) await program.get('/auth/session', asked(each ?? ''))
    await redeem()
    await tokensApi(world)
      .verifyKey(key)
      .catch(() => undefined)

    const log = inspect(world.log, { depth: 20, maxStringLength: null, maxArrayLength: null })
    expect(world.log.length).toBeGreaterThan(5)
    for (const secret of secrets) expect(log).not.toContain(secret)
  },
)
