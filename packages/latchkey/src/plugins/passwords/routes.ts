import { lazyRoutes, type PluginMethods } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** Loads what the routes share, at the first request. */
export type LoadOwn = () => Promise<Own>

const route = lazyRoutes<Own>()

const signUp = async () => import('./routes/sign-up.ts')
const verify = async () => import('./routes/verify.ts')
const signIn = async () => import('./routes/sign-in.ts')
const forgot = async () => import('./routes/forgot.ts')
const reset = async () => import('./routes/reset.ts')
const change = async () => import('./routes/change.ts')

/** The paths of the plugin. */
export const routes: Readonly<Record<string, PluginMethods<LoadOwn>>> = {
  'password/sign-up': {
    GET: route('anyone', async () => (await signUp()).show),
    POST: route(
      'anyone',
      async () => (await signUp()).send,
      async () => (await signUp()).input,
    ),
  },
  'password/verify': {
    GET: route(
      'anyone',
      async () => (await verify()).show,
      async () => (await verify()).linkInput,
    ),
    POST: route(
      'anyone',
      async () => (await verify()).verify,
      async () => (await verify()).input,
    ),
  },
  'password/resend': {
    POST: route('anyone', async () => (await verify()).resend, undefined, 'password/verify'),
  },
  'password/sign-in': {
    GET: route('anyone', async () => (await signIn()).show),
    POST: route(
      'anyone',
      async () => (await signIn()).send,
      async () => (await signIn()).input,
    ),
  },
  'password/forgot': {
    GET: route('anyone', async () => (await forgot()).show),
    POST: route(
      'anyone',
      async () => (await forgot()).send,
      async () => (await forgot()).input,
    ),
  },
  'password/forgot-sent': { GET: route('anyone', async () => (await forgot()).showSent) },
  'password/reset': {
    GET: route(
      'anyone',
      async () => (await reset()).show,
      async () => (await reset()).linkInput,
    ),
    POST: route(
      'anyone',
      async () => (await reset()).send,
      async () => (await reset()).input,
    ),
  },
  'password/reset-done': { GET: route('anyone', async () => (await reset()).showDone) },
  'password/change': {
    GET: route(
      'user',
      async () => (await change()).show,
      async () => (await change()).shownInput,
    ),
    POST: route(
      'user',
      async () => (await change()).change,
      async () => (await change()).input,
    ),
  },
  'password/set': {
    POST: route(
      'user',
      async () => (await change()).set,
      async () => (await change()).newInput,
      'password/change',
    ),
  },
  'password/remove': {
    POST: route('user', async () => (await change()).remove, undefined, 'password/change'),
  },
  'password/renew': {
    GET: route('pending', async () => (await change()).showRenew),
    POST: route(
      'pending',
      async () => (await change()).renew,
      async () => (await change()).newInput,
    ),
  },
  'password/rules': {
    GET: route('anyone', async () => (await import('./routes/rules.ts')).rules),
  },
}
