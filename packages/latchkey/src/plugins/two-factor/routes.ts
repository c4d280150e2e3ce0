import { lazyRoutes, type PluginMethods, SHORT_BODY } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** Loads what the routes share, at the first request. */
export type LoadOwn = () => Promise<Own>

const route = lazyRoutes<Own>({ bodyLimit: SHORT_BODY })
/** Refused until the address is proved: otherwise a stranger adds a way in, and keeps it when the owner comes. */
const proved = lazyRoutes<Own>({ bodyLimit: SHORT_BODY, proved: true })

const verify = async () => import('./routes/verify.ts')
const enrol = async () => import('./routes/enrol.ts')
const passkey = async () => import('./routes/passkey.ts')
const email = async () => import('./routes/email.ts')
const manage = async () => import('./routes/manage.ts')

/** Somebody whose sign-in waits, or who is signed in. */
const WAITING_OR_USER = ['pending', 'user'] as const

/** The paths of the plugin. */
export const routes: Readonly<Record<string, PluginMethods<LoadOwn>>> = {
  'two-factor': {
    GET: route(
      'pending',
      async () => (await verify()).show,
      async () => (await verify()).shownInput,
    ),
  },
  'two-factor/verify': {
    POST: route(
      'pending',
      async () => (await verify()).verify,
      async () => (await verify()).input,
      'two-factor',
    ),
  },
  'two-factor/send': {
    POST: route(
      'pending',
      async () => (await verify()).send,
      async () => (await verify()).sendInput,
      'two-factor',
    ),
  },
  'two-factor/use-email': {
    POST: route(
      'user',
      async () => (await email()).use,
      async () => (await email()).useInput,
      'account/two-factor',
    ),
  },
  'two-factor/passkey-options': {
    POST: route(WAITING_OR_USER, async () => (await passkey()).options),
  },
  'two-factor/passkey': {
    POST: {
      ...route(
        'pending',
        async () => (await passkey()).prove,
        async () => (await passkey()).input,
        'two-factor',
      ),
      bodyLimit: undefined,
    },
  },
  'two-factor/use-passkeys': {
    POST: proved(
      'user',
      async () => (await passkey()).use,
      async () => (await passkey()).useInput,
      'account/two-factor',
    ),
  },
  'two-factor/enrol': { GET: route('pending', async () => (await enrol()).showMust) },
  'two-factor/enrol-totp': {
    GET: route(WAITING_OR_USER, async () => (await enrol()).show),
    POST: route(
      WAITING_OR_USER,
      async () => (await enrol()).begin,
      async () => (await enrol()).input,
    ),
  },
  'two-factor/confirm-totp': {
    POST: route(
      WAITING_OR_USER,
      async () => (await enrol()).confirm,
      async () => (await enrol()).confirmInput,
      'two-factor/enrol-totp',
    ),
  },
  'two-factor/recovery-codes': {
    GET: route('user', async () => (await enrol()).showCodes),
    POST: proved('user', async () => (await manage()).renewCodes),
  },
  'two-factor/kept': {
    POST: route(
      'anyone',
      async () => (await enrol()).keep,
      async () => (await enrol()).keptInput,
      'two-factor/recovery-codes',
    ),
  },
  'two-factor/status': { GET: route('user', async () => (await manage()).status) },
  'two-factor/rename': {
    POST: route(
      'user',
      async () => (await manage()).rename,
      async () => (await manage()).renameInput,
      'account/two-factor',
    ),
  },
  'two-factor/remove': {
    POST: route(
      'user',
      async () => (await manage()).remove,
      async () => (await manage()).removeInput,
      'account/two-factor',
    ),
  },
  'two-factor/forget-devices': {
    POST: route(
      'user',
      async () => (await manage()).forgetBrowsers,
      async () => (await manage()).forgetInput,
      'account/two-factor',
    ),
  },
  'account/two-factor': {
    GET: route(
      'user',
      async () => (await manage()).show,
      async () => (await manage()).shownInput,
    ),
  },
}
