import { en } from '../../src/base/texts/en.ts'
import type { AuthConfig } from '../../src/options/auth-config.ts'
import type { Theme } from '../../src/options/pages.ts'
import { limits } from '../../src/plugins/limits/index.ts'
import { sessions } from '../../src/plugins/sessions/index.ts'
import Apple from '../../src/providers/apple.ts'
import Credentials from '../../src/providers/credentials.ts'
import { oauth } from '../../src/providers/define.ts'
import Discord from '../../src/providers/discord.ts'
import Figma from '../../src/providers/figma.ts'
import GitHub from '../../src/providers/github.ts'
import GitLab from '../../src/providers/gitlab.ts'
import Google from '../../src/providers/google.ts'
import Microsoft from '../../src/providers/microsoft.ts'
import Notion from '../../src/providers/notion.ts'
import Passkey from '../../src/providers/passkey.ts'
import Spotify from '../../src/providers/spotify.ts'
import Twitch from '../../src/providers/twitch.ts'
import { LONG_NAME, mail, type PageState, password, type Visitor, visit } from './visitor.ts'

type Providers = AuthConfig['providers']

const client = { clientId: 'id', clientSecret: 'secret' }
const google = Google(client)
const github = GitHub(client)
const many: Providers = [
  google,
  Apple(client),
  github,
  Microsoft(client),
  GitLab(client),
  Discord(client),
  Figma(client),
  Notion(client),
  Spotify(client),
  Twitch(client),
]
/** Without a mark, and with a long name. */
const plain = oauth<object>({
  id: 'plain',
  name: 'Zentrale Anmeldung der Stadtverwaltung Donaudampfschifffahrt',
  authorization: 'https://vendor.example/authorize',
  token: 'https://vendor.example/token',
  userinfo: 'https://vendor.example/me',
})()
const pictured = GitHub({
  ...client,
  id: 'pictured',
  name: 'Pictured',
  style: { logo: '/logo.svg' },
})
const pin = Credentials({
  id: 'pin',
  name: 'Guest card',
  credentials: {
    card: { label: 'Number of the card', inputmode: 'numeric' },
    pin: { label: 'PIN', type: 'password' },
  },
  authorize: () => null,
})
const guest = Credentials({ id: 'guest', name: 'Guest', credentials: {}, authorize: () => null })

const branded: Theme = {
  name: 'Orchard',
  logo: { light: '/logo.svg', dark: '/logo-dark.svg' },
  accent: { light: '#0a6b4b', dark: '#6ddcb0' },
  radius: 'large',
  font: ['Inter', 'Segoe UI'],
  footer: {
    terms: '/terms',
    privacy: '/privacy',
    imprint: '/imprint',
    support: 'mailto:help@orchard.example',
  },
}

interface Setting {
  readonly providers: Providers
  readonly theme?: Theme
  readonly config?: Partial<AuthConfig>
  readonly isMailBroken?: boolean
  readonly path?: string
  readonly act?: (visitor: Visitor) => Promise<Response>
}

function signIn(
  name: string,
  { providers, theme, config, isMailBroken, path = '/auth/signin', act }: Setting,
): PageState {
  return {
    name: `sign-in/${name}`,
    async open(look) {
      const visitor = await visit({ look, theme, isMailBroken, config: { providers, ...config } })
      return act ? act(visitor) : visitor.get(path)
    },
  }
}

const everything: Providers = [google, github, password, mail, Passkey()]

const errors = Object.keys(en).flatMap((key) => /^sign-in\.error\.(\w+)$/.exec(key)?.[1] ?? [])

/** Of the page with the ways to sign in. */
export const signInStates: readonly PageState[] = [
  signIn('mail', { providers: [mail] }),
  signIn('password', { providers: [password] }),
  signIn('password-and-mail', { providers: [password, mail] }),
  signIn('providers-and-mail', { providers: [google, github, mail] }),
  signIn('providers-and-password', { providers: [google, github, password] }),
  signIn('providers-mail-and-passkey', { providers: [github, google, mail, Passkey()] }),
  signIn('everything', { providers: everything }),
  signIn('providers', { providers: [google, github, plain, pictured] }),
  signIn('many-providers', { providers: many }),
  signIn('many-providers-and-mail', { providers: [...many, mail] }),
  signIn('passkey', { providers: [Passkey()] }),
  signIn('passkey-and-mail', { providers: [mail, Passkey()] }),
  signIn('own-fields', { providers: [pin] }),
  signIn('several-forms', { providers: [google, password, pin, guest, Passkey()] }),
  signIn('nothing', { providers: [] }),
  signIn('remember', {
    providers: [google, github, password, mail],
    config: { plugins: [sessions({ remember: 'ask' })] },
  }),
  signIn('long-name', { providers: everything, theme: { name: LONG_NAME } }),
  signIn('without-name', { providers: everything, theme: { name: undefined } }),
  signIn('branded', { providers: everything, theme: branded }),
  signIn('split', {
    providers: everything,
    theme: {
      ...branded,
      background: 'split',
      panel: { text: 'Grow what you know about your fields.' },
    },
  }),
  signIn('tokens', {
    providers: everything,
    theme: {
      radius: 'none',
      tokens: {
        background: { light: '#eef4ff', dark: '#0b1020' },
        text: { light: '#101828', dark: '#f5f7fa' },
        danger: { light: '#912018', dark: '#ffb4ab' },
        accent: { light: '#175cd3', dark: '#84adff' },
      },
      css: '.card { box-shadow: none }',
    },
  }),
  signIn('address-filled-in', {
    providers: everything,
    path: '/auth/signin?email=ada%40example.com',
  }),
  signIn('second-step', {
    providers: everything,
    act: (visitor) => visitor.post('/auth/signin', { email: 'ada@example.com' }),
  }),
  signIn('second-step-long-address', {
    providers: [password, mail],
    act: (visitor) =>
      visitor.post('/auth/signin', {
        email: `${'maximiliane.'.repeat(5)}von-und-zu@verwaltung.donaudampfschifffahrt.example`,
      }),
  }),
  signIn('last-used', {
    providers: [google, github, password],
    async act(visitor) {
      await visitor.signIn()
      await visitor.post('/auth/signout')
      return visitor.get('/auth/signin')
    },
  }),
  signIn('signed-in', {
    providers: everything,
    async act(visitor) {
      await visitor.signIn()
      return visitor.get('/auth/signin')
    },
  }),
  signIn('cancelled', {
    providers: everything,
    path: '/auth/signin?error=OAuthCallbackError&code=access_denied&provider=github',
  }),
  signIn('wrong-password', {
    providers: [google, password],
    act: (visitor) =>
      visitor.post('/auth/callback/credentials', { email: 'ada@example.com', password: 'x' }),
  }),
  signIn('wrong-password-second-step', {
    providers: [password, mail],
    act: (visitor) =>
      visitor.post('/auth/callback/credentials', { email: 'ada@example.com', password: 'x' }),
  }),
  signIn('wrong-own-fields', {
    providers: [google, pin],
    act: (visitor) => visitor.post('/auth/callback/pin', { card: '12 34', pin: '0000' }),
  }),
  signIn('mail-not-sent', {
    providers: [google, mail],
    isMailBroken: true,
    act: (visitor) => visitor.post('/auth/signin/email', { email: 'ada@example.com' }),
  }),
  signIn('no-address', {
    providers: [google, mail],
    act: (visitor) => visitor.post('/auth/signin/email', { email: 'ada' }),
  }),
  signIn('too-many-attempts', {
    providers: [google, password],
    config: {
      plugins: [
        limits({
          store: 'process',
          rules: { 'credentials.sign-in': [{ by: 'site', limit: 1, window: 600 }] },
        }),
      ],
    },
    async act(visitor) {
      const fields = { email: 'ada@example.com', password: 'x' }
      await visitor.post('/auth/callback/credentials', fields)
      return visitor.post('/auth/callback/credentials', fields)
    },
  }),
  ...[...errors, 'Callback', 'Signin', 'SomethingElse'].map((error) =>
    signIn(`error-${error}`, {
      providers: [google, password, mail],
      path: `/auth/signin?error=${error}`,
    }),
  ),
]
