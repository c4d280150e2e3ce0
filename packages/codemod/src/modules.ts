/** What a module of Auth.js becomes: a module of Latchkey, or a reason why a person has to see to it. */
export type Target = { readonly to: string } | { readonly leave: string }

/** What a name becomes that the new module does not have. */
export type NameChange =
  | { readonly name?: string; readonly from?: string }
  | { readonly leave: string }

/** What to do with adapters of Auth.js: they go on to work; some have a counterpart. */
export type AdapterChoice = 'keep' | 'replace'

/** What an application asks for in its package.json. */
export const LATCHKEY_RANGE = '^0.3.0'

/** Returns what a table has under a name of the application, which may be one like `toString`. */
export function entryOf<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Packages that an application no longer needs. */
export const REPLACED: readonly string[] = [
  'next-auth',
  '@types/next-auth',
  '@auth/core',
  '@auth/express',
  '@auth/qwik',
  '@auth/solid-start',
  '@auth/sveltekit',
]

export const MODULES: Readonly<Record<string, string>> = {
  'next-auth': 'latchkey/next',
  'next-auth/next': 'latchkey/next',
  'next-auth/lib': 'latchkey/next',
  'next-auth/react': 'latchkey/react',
  'next-auth/webauthn': 'latchkey/react',
  'next-auth/jwt': 'latchkey/jwt',
  'next-auth/jwt/types': 'latchkey/jwt',
  'next-auth/adapters': 'latchkey/adapters',
  'next-auth/core/types': 'latchkey/types',
  'next-auth/providers/oauth-types': 'latchkey/providers',
  '@auth/core': 'latchkey',
  '@auth/core/adapters': 'latchkey/adapters',
  '@auth/core/errors': 'latchkey/errors',
  '@auth/core/jwt': 'latchkey/jwt',
  '@auth/core/types': 'latchkey/types',
  '@auth/express': 'latchkey/express',
  '@auth/qwik': 'latchkey/qwik',
  '@auth/solid-start': 'latchkey/solid-start',
  '@auth/solid-start/client': 'latchkey/solid-start/client',
  '@auth/sveltekit': 'latchkey/sveltekit',
  '@auth/sveltekit/client': 'latchkey/sveltekit/client',
  '@auth/sveltekit/components': 'latchkey/sveltekit/components',
  '@auth/sveltekit/webauthn': 'latchkey/sveltekit/webauthn',
}

/** The name by which an adapter of version 4 goes on, with the version that was tried. */
export const RENAMED_ADAPTERS: Readonly<Record<string, readonly [name: string, range: string]>> = {
  '@next-auth/dynamodb-adapter': ['@auth/dynamodb-adapter', '^2.11.3'],
  '@next-auth/firebase-adapter': ['@auth/firebase-adapter', '^2.11.3'],
  '@next-auth/mikro-orm-adapter': ['@auth/mikro-orm-adapter', '^2.10.0'],
  '@next-auth/mongodb-adapter': ['@auth/mongodb-adapter', '^3.11.3'],
  '@next-auth/prisma-adapter': ['@auth/prisma-adapter', '^2.11.3'],
  '@next-auth/sequelize-adapter': ['@auth/sequelize-adapter', '^2.11.3'],
  '@next-auth/supabase-adapter': ['@auth/supabase-adapter', '^1.11.3'],
  '@next-auth/upstash-redis-adapter': ['@auth/upstash-redis-adapter', '^2.11.3'],
}

/** An adapter of Auth.js, and ours for the same tables. */
export interface Replacement {
  readonly old: string
  readonly imports: Readonly<Record<string, string>>
  /** The call, with the arguments as they were. */
  call(args: string): string
  /** What the tables are called in the second argument, by their old names. Without that argument they are not known. */
  readonly tables?: Readonly<Record<string, string>>
}

/** By the kind of adapter: the package is `@auth/<kind>-adapter`. */
export const REPLACEMENTS: Readonly<Record<string, Replacement>> = {
  prisma: {
    old: 'PrismaAdapter',
    imports: { prismaAdapter: 'latchkey/adapters/prisma' },
    call: (args) => `prismaAdapter(${args})`,
  },
  pg: {
    old: 'default',
    imports: { sqlAdapter: 'latchkey/adapters/sql', pgStore: 'latchkey/adapters/sql/pg' },
    call: (args) => `sqlAdapter(pgStore(${args}), { naming: 'pg' })`,
  },
  neon: {
    old: 'default',
    imports: { sqlAdapter: 'latchkey/adapters/sql', pgStore: 'latchkey/adapters/sql/pg' },
    call: (args) => `sqlAdapter(pgStore(${args}), { naming: 'pg' })`,
  },
  drizzle: {
    old: 'DrizzleAdapter',
    imports: { drizzleAdapter: 'latchkey/adapters/drizzle' },
    call: (args) => `drizzleAdapter(${args})`,
    tables: {
      usersTable: 'user',
      accountsTable: 'account',
      sessionsTable: 'session',
      verificationTokensTable: 'verificationToken',
      authenticatorsTable: 'authenticator',
    },
  },
  d1: {
    old: 'D1Adapter',
    imports: { sqlAdapter: 'latchkey/adapters/sql', d1Store: 'latchkey/adapters/sql/d1' },
    call: (args) => `sqlAdapter(d1Store(${args}), { naming: 'd1' })`,
  },
}

const ADAPTER = /^@(next-)?auth\/([\w-]+)-adapter$/

/** The kind of an adapter's package: `prisma` for `@auth/prisma-adapter`. */
export function adapterKind(specifier: string): string | undefined {
  return ADAPTER.exec(specifier)?.[2]
}

/** Returns what becomes of a module; `undefined` for one that stays. */
export function targetOf(specifier: string): Target | undefined {
  const known = entryOf(MODULES, specifier)
  if (known !== undefined) return { to: known }
  const owner = /^(.+)\/package\.json$/.exec(specifier)?.[1]
  if (owner !== undefined && REPLACED.includes(owner)) return { to: 'latchkey/package.json' }
  // The integrations have the providers, too.
  const [, part, name] =
    /^(?:next-auth|@auth\/[a-z-]+)\/(providers|adapters)(?:\/([\w-]+))?$/.exec(specifier) ?? []
  if (part === 'adapters' && name === undefined) return { to: 'latchkey/adapters' }
  if (part === 'providers') return { to: provider(name) }
  if (ADAPTER.test(specifier)) return adapter(specifier)
  if (specifier === 'next-auth/middleware')
    return {
      leave:
        'write it as `NextAuth(options).auth`. The options must include your `session`, `jwt` and `cookies`. Its `authorized` callback receives `auth`, the session, instead of `token`, and `request` instead of `req` (docs/how-to/move-from-next-auth-4.md#guards)',
    }
  return /^(?:next-auth|@auth\/(?:core|express|nextjs|qwik|solid-start|sveltekit))(?:\/|$)/.test(
    specifier,
  )
    ? { leave: 'Latchkey does not have this module' }
    : undefined
}

function provider(name: string | undefined): string {
  return name === undefined || name === 'index'
    ? 'latchkey/providers'
    : `latchkey/providers/${name}`
}

function adapter(specifier: string): Target | undefined {
  if (!specifier.startsWith('@next-auth/')) return undefined
  const [name] = entryOf(RENAMED_ADAPTERS, specifier) ?? []
  return name === undefined
    ? {
        leave:
          'this adapter has no later version; docs/reference/schema.md describes an adapter for the same tables',
      }
    : { to: name }
}

const TYPES = { from: 'latchkey/types' }
const HANDLER = { name: 'authHandler' }

export const NAMES: Readonly<Record<string, Readonly<Record<string, NameChange>>>> = {
  'latchkey/next': {
    AuthOptions: { name: 'NextAuthConfig' },
    NextAuthOptions: { name: 'NextAuthConfig' },
    AuthAction: TYPES,
    Awaitable: TYPES,
    CallbacksOptions: TYPES,
    CookieOption: TYPES,
    CookiesOptions: TYPES,
    DefaultUser: TYPES,
    LoggerInstance: TYPES,
    PagesOptions: TYPES,
    SessionOptions: TYPES,
    SessionStrategy: TYPES,
    Theme: TYPES,
    TokenSet: TYPES,
    EventCallbacks: { name: 'EventHandlers', ...TYPES },
    EventType: { leave: 'write `keyof EventHandlers`, of latchkey/types' },
    ISODateString: { leave: 'write `string`' },
    getServerSession: { leave: 'call `auth`, which `NextAuth(options)` of latchkey/next returns' },
    unstable_getServerSession: {
      leave: 'call `auth`, which `NextAuth(options)` of latchkey/next returns',
    },
  },
  'latchkey/elysia': { auth: HANDLER, readSession: { name: 'authSession' } },
  'latchkey/express': { ExpressAuth: HANDLER },
  'latchkey/fastify': { fastifyAuth: HANDLER },
  'latchkey/nest': { ExpressAuth: HANDLER },
  'latchkey/nest/fastify': { fastifyAuth: HANDLER },
  'latchkey/types': {
    AuthOptions: { name: 'AuthConfig' },
    NextAuthOptions: { name: 'AuthConfig' },
    EventCallbacks: { name: 'EventHandlers' },
    ISODateString: { leave: 'write `string`' },
  },
  'latchkey/jwt': {
    Secret: { leave: 'write `string`' },
  },
  'latchkey/react': {
    ClientSafeProvider: { name: 'ClientProvider' },
    SignOutResponse: { name: 'SignOutResult' },
    LiteralUnion: { leave: 'write `string`' },
    SessionContext: { leave: 'call `useSession`' },
  },
  'latchkey/providers': {
    BuiltInProviderType: { name: 'ProviderId' },
    OAuthProviderType: { name: 'OAuthProviderId' },
    RedirectableProviderType: { leave: "write `'credentials' | 'email'`" },
    SendVerificationRequestParams: { name: 'EmailProviderSendVerificationRequestParams' },
  },
  'latchkey/providers/email': {
    SendVerificationRequestParams: { name: 'EmailProviderSendVerificationRequestParams' },
  },
}

/** Returns what becomes of a name of a module; `undefined` for one that stays. */
export function changeOf(module: string, name: string): NameChange | undefined {
  return entryOf(entryOf(NAMES, module) ?? {}, name)
}
