import type { AdapterAccount } from '../../../src/model/account.ts'
import type { AdapterUser } from '../../../src/model/user.ts'
import type { AuthConfig } from '../../../src/options/auth-config.ts'
import type { Answers, IdentityProvider } from './identity-provider.ts'
import type { Side } from './side.ts'

/** What a scenario's configuration can be made of, on either side. */
export interface Setting {
  readonly side: Side
  readonly idp: IdentityProvider
  /** Notes that a function of the configuration was called. */
  heard(name: string, ...given: unknown[]): void
  /** Takes the link of a mail. */
  mail(link: string): void
}

/** What is stored before it begins. */
export interface Contents {
  users?: (Partial<AdapterUser> & { id: string; email: string })[]
  accounts?: AdapterAccount[]
  /** Seconds from now until each ends. */
  sessions?: { token: string; userId: string; endsIn: number }[]
  /** Sessions are stored as the peer stores them, also for the library. @default false */
  asThePeerStores?: boolean
  /** Methods that the adapter lacks. */
  without?: string[]
  /** Methods that fail. */
  failing?: string[]
}

export type CallbackName = 'signIn' | 'redirect' | 'jwt' | 'session'

/** What a browser does, or what happens to it. */
export type Step =
  | { readonly kind: 'request'; readonly path: string; readonly init: RequestInit }
  /** Posts a form; `csrfToken` is added unless the form says something else of it. */
  | {
      readonly kind: 'post'
      readonly path: string
      readonly form: Readonly<Record<string, string>>
      readonly headers: Record<string, string>
    }
  /** Comes back from the provider to which the last answer led. */
  | { readonly kind: 'comeBack'; readonly changes: ComeBack }
  /** Opens the link of the last mail. */
  | { readonly kind: 'openLink'; readonly changes: (url: URL) => void; readonly method: string }
  /** Answers the options that were just given with a passkey of the browser. */
  | { readonly kind: 'passkey'; readonly action: 'register' | 'authenticate' }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'cookies'; readonly change: (jar: Map<string, string>) => void }

export interface ComeBack {
  /** Replaces parameters of the answer; `null` removes one. */
  params?: Record<string, string | null>
  /** Added after the others, so that they can be there twice. */
  twice?: Record<string, string>
  post?: boolean
  headers?: Record<string, string>
  /** Comes back to another address: where a proxy hands the answer on to. */
  at?: string
  /** Comes back to another provider of the application. */
  to?: string
}

/** A story that both services are told in the same words. */
export interface Scenario {
  readonly name: string
  /** @default 'https://app.example' */
  readonly origin?: string
  readonly config?: (setting: Setting) => Partial<AuthConfig>
  readonly idp?: Answers
  /** With it the configuration has an adapter. */
  readonly store?: Contents
  /** Callbacks that are only listened to; those of the configuration always are. */
  readonly listens?: readonly CallbackName[]
  /** A browser that was here before brings both ambient cookies along. @default true */
  readonly returning?: boolean
  /** Claims of a session cookie that the browser has. */
  readonly signedIn?: Readonly<Record<string, unknown>>
  /** The peer is as it was when it was loaded. */
  readonly freshPeer?: boolean
  readonly steps: readonly Step[]
}

export function get(path: string, headers: Record<string, string> = {}): Step {
  return { kind: 'request', path, init: { headers } }
}

export function send(path: string, init: RequestInit): Step {
  return { kind: 'request', path, init }
}

export function post(
  path: string,
  form: Readonly<Record<string, string>> = {},
  headers: Record<string, string> = {},
): Step {
  return { kind: 'post', path, form, headers }
}

export function comeBack(changes: ComeBack = {}): Step {
  return { kind: 'comeBack', changes }
}

export function openLink(
  changes: (url: URL) => void = (): void => {},
  method: 'GET' | 'POST' = 'GET',
): Step {
  return { kind: 'openLink', changes, method }
}

export function passkey(action: 'register' | 'authenticate'): Step {
  return { kind: 'passkey', action }
}

export function wait(seconds: number): Step {
  return { kind: 'wait', seconds }
}

export function setCookie(name: string, value: string): Step {
  return { kind: 'cookies', change: (jar) => jar.set(name, value) }
}

export function dropCookie(name: string): Step {
  return {
    kind: 'cookies',
    change: (jar) => {
      for (const one of [name, name.replace('__Secure-', '__Host-')]) jar.delete(one)
    },
  }
}
