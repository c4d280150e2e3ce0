// The part of Nuxt that is used in an application. The package is the one that the application installed.

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
  /** Has the values that the module's middleware set, unless the page is prerendered. */
  export function useRequestEvent():
    | { readonly context: { latchkey?: () => Promise<Session | null> } }
    | undefined
  /** State that the server passes to the browser. */
  export function useState<T>(key: string): { value: T | undefined }
}
