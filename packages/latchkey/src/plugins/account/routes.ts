import { lazyRoutes, type PluginMethods } from '../../entries/plugin.ts'
import type { Own } from './own.ts'

/** Loads what the routes share, at the first request. */
export type LoadOwn = () => Promise<Own>

const route = lazyRoutes<Own>()
/** Refused until the address is proved: otherwise a stranger adds a way in, and keeps it when the owner comes. */
const proved = lazyRoutes<Own>({ proved: true })

const profile = async () => import('./routes/profile.ts')
const passkeys = async () => import('./routes/passkeys.ts')
const addresses = async () => import('./routes/addresses.ts')
const undo = async () => import('./routes/undo.ts')
const data = async () => import('./routes/data.ts')
const links = async () => import('./routes/links.ts')

/** The paths of the plugin. */
export const routes: Readonly<Record<string, PluginMethods<LoadOwn>>> = {
  'account/me': { GET: route('user', async () => (await profile()).showMe) },
  'account/profile': {
    GET: route('user', async () => (await profile()).show),
  },
  'account/security': { GET: route('user', async () => (await profile()).security) },
  'account/update': {
    POST: {
      ...route(
        'user',
        async () => (await profile()).update,
        async () => (await profile()).input,
        'account/profile',
      ),
      takes: ['locale'],
    },
  },
  'account/passkeys': {
    GET: route(
      'user',
      async () => (await passkeys()).show,
      async () => (await passkeys()).shownInput,
    ),
  },
  'account/passkey-endpoints': {
    GET: {
      ...route('anyone', async () => (await passkeys()).endpoints),
      callers: 'protocol',
    },
  },
  'account/passkey-options': {
    POST: proved(
      'user',
      async () => (await passkeys()).options,
      async () => (await passkeys()).optionsInput,
    ),
  },
  'account/add-passkey': {
    POST: proved(
      'user',
      async () => (await passkeys()).add,
      async () => (await passkeys()).addInput,
      'account/passkeys',
    ),
  },
  'account/refuse-passkey': {
    POST: route('user', async () => (await passkeys()).refuse, undefined, 'account/passkeys'),
  },
  'account/rename-passkey': {
    POST: route(
      'user',
      async () => (await passkeys()).rename,
      async () => (await passkeys()).renameInput,
      'account/passkeys',
    ),
  },
  'account/remove-passkey': {
    POST: route(
      'user',
      async () => (await passkeys()).remove,
      async () => (await passkeys()).removeInput,
      'account/passkeys',
    ),
  },
  'account/links': {
    GET: route(
      'user',
      async () => (await links()).show,
      async () => (await links()).shownInput,
    ),
  },
  'account/link': {
    POST: proved(
      'user',
      async () => (await links()).link,
      async () => (await links()).linkInput,
      'account/links',
    ),
  },
  'account/unlink': {
    POST: route(
      'user',
      async () => (await links()).unlink,
      async () => (await links()).unlinkInput,
      'account/links',
    ),
  },
  'account/addresses': {
    GET: route('user', async () => (await addresses()).show),
  },
  'account/change-address': {
    POST: proved(
      'user',
      async () => (await addresses()).change,
      async () => (await addresses()).changeInput,
      'account/addresses',
    ),
  },
  'account/cancel-address': {
    POST: route('user', async () => (await addresses()).cancel, undefined, 'account/addresses'),
  },
  'account/confirm-address': {
    GET: route(
      'anyone',
      async () => (await addresses()).showConfirm,
      async () => (await addresses()).linkInput,
    ),
    POST: route(
      'user',
      async () => (await addresses()).confirm,
      async () => (await addresses()).proofInput,
    ),
  },
  'account/undo-address': {
    GET: route(
      'anyone',
      async () => (await undo()).showUndo,
      async () => (await undo()).input,
    ),
    POST: route(
      'anyone',
      async () => (await undo()).undo,
      async () => (await undo()).input,
    ),
  },
  'account/secure': {
    GET: route(
      'anyone',
      async () => (await undo()).showSecure,
      async () => (await undo()).input,
    ),
    POST: route(
      'anyone',
      async () => (await undo()).secure,
      async () => (await undo()).input,
    ),
  },
  'account/data': { GET: route('user', async () => (await data()).show) },
  'account/export': { GET: route('user', async () => (await data()).download) },
  'account/delete': {
    GET: route('user', async () => (await data()).showDelete),
    POST: route(
      'user',
      async () => (await data()).remove,
      async () => (await data()).confirmInput,
    ),
  },
  'account/confirm-delete': {
    GET: route(
      'anyone',
      async () => (await data()).showConfirm,
      async () => (await data()).linkInput,
    ),
    POST: route(
      'anyone',
      async () => (await data()).confirmDelete,
      async () => (await data()).linkInput,
    ),
  },
  'account/keep': {
    GET: route('pending', async () => (await data()).showKeep),
    POST: route('pending', async () => (await data()).keep),
  },
}
