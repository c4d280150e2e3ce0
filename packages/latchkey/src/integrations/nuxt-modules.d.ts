// What is used of Nuxt in an application. It is the application's own that is loaded.

declare module 'nuxt/app' {
  import type { Session } from 'latchkey'

  export function defineNuxtPlugin(plugin: {
    name: string
    setup(): Promise<{ provide: object }>
  }): unknown
  export function defineNuxtRouteMiddleware(
    guard: (to: { readonly fullPath: string }) => unknown,
  ): unknown
  export function navigateTo(path: string, options: { external: true }): unknown
  export function useNuxtApp(): object
  /** With what the module's middleware has left there, unless the page is made ahead. */
  export function useRequestEvent():
    | { readonly context: { latchkey?: () => Promise<Session | null> } }
    | undefined
  /** What the server found out is known in the browser. */
  export function useState<T>(key: string): { value: T | undefined }
}
