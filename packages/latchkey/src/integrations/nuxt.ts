/** The part of Nuxt that is used during the build. */
interface Nuxt {
  readonly options: {
    readonly dev: boolean
    /** `baseURL`: the path of the application. */
    readonly app?: { readonly baseURL: string }
    readonly build: {
      readonly templates: { filename: string; getContents(): string; write?: boolean }[]
      readonly transpile: unknown[]
    }
    readonly plugins: { src: string }[]
    readonly serverHandlers: { route?: string; middleware?: boolean; handler: string }[]
    readonly nitro: { virtual?: Record<string, string> }
  }
  hook(name: 'imports:extend', add: (imports: { name: string; from: string }[]) => void): void
  hook(
    name: 'app:resolve',
    add: (app: { middleware: { name: string; path: string; global: boolean }[] }) => void,
  ): void
}

export interface NuxtAuthOptions {
  /** The base path of the configuration, below which the actions are. `app.baseURL` may be left out. @default '/auth' */
  basePath?: string
  /** The file whose default export is the result of `createLatchkey`. @default '~~/server/latchkey' */
  latchkey?: string
}

/**
 * A module for Nuxt 3 and 4: `modules: ['latchkey/nuxt']`. It handles the actions, and adds `useSession`, `useAuth`, the
 * route middleware `auth`, and the guards `requireFresh` and `requireFactors` to the application.
 */
export default function latchkeyModule(
  { basePath = '/auth', latchkey = '~~/server/latchkey' }: NuxtAuthOptions,
  { options, hook }: Nuxt,
): void {
  const { app, build, dev, plugins, serverHandlers, nitro } = options
  const base = app?.baseURL.replace(/\/$/, '') ?? ''
  build.transpile.push('latchkey')

  const ours = `import '#latchkey/environment'
      import latchkey from ${JSON.stringify(latchkey)}`
  nitro.virtual = {
    ...nitro.virtual,
    // What was built runs in production, also if it is started without the variable.
    '#latchkey/environment': dev
      ? ''
      : `const { env = {} } = globalThis.process ?? {}
      env.NODE_ENV ||= 'production'`,
    '#latchkey/actions': `${ours}
      import { defineEventHandler } from 'h3'
      import { authHandler } from 'latchkey/h3'
      export default defineEventHandler(authHandler(latchkey))`,
    // Called when a page is rendered for one visitor, and not when it is prerendered or cached.
    '#latchkey/session': `${ours}
      import { defineEventHandler } from 'h3'
      import { authSession, requireProof } from 'latchkey/h3'
      import { getRouteRules } from '#imports'
      export default defineEventHandler((event) => {
        const { cache, isr } = getRouteRules(event)
        if (import.meta.prerender || cache || isr) return
        event.context.latchkey = () => authSession(latchkey)(event)
        event.context.latchkeyProof = (needed) => requireProof(latchkey, needed)(event)
      })`,
  }
  serverHandlers.push(
    // Nitro puts `app.baseURL` in front.
    { route: `${withoutBase(basePath, base)}/**`, handler: '#latchkey/actions' },
    { middleware: true, handler: '#latchkey/session' },
  )

  const made = (name: string, maker: string): string => {
    const filename = `latchkey/${name}.mjs`
    const getContents = (): string =>
      `import { ${maker} } from 'latchkey/nuxt/app'
      export default ${maker}(${JSON.stringify(basePath)})`
    build.templates.push({ filename, getContents, write: true })
    return `#build/${filename}`
  }
  plugins.push({ src: made('plugin', 'createPlugin') })
  const guard = made('auth', 'createGuard')
  hook('app:resolve', ({ middleware }) => {
    middleware.push({ name: 'auth', path: guard, global: false })
  })
  hook('imports:extend', (imports) => {
    for (const name of ['useAuth', 'useSession', 'requireFresh', 'requireFactors'])
      imports.push({ name, from: 'latchkey/nuxt/app' })
  })
}

const withoutBase = (path: string, base: string): string =>
  path.startsWith(`${base}/`) ? path.slice(base.length) : path
