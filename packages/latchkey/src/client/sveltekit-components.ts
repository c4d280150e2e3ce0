import type { ComponentType, Snippet, SvelteComponent } from 'svelte'
import * as svelte from 'svelte'
import type { HTMLFormAttributes } from 'svelte/elements'
import { unmet } from '../base/needs.ts'
import type { AuthorizationParams } from './client.ts'
import signIn from './sign-in.svelte'
import signOut from './sign-out.svelte'

// Svelte 4 compiles the components, but fails when it renders them.
if ((svelte as { untrack?: unknown }).untrack === undefined) {
  const framework = { what: 'latchkey/sveltekit/components', name: 'svelte', from: '5' }
  throw new Error(unmet(framework, '4 or earlier'))
}

/** Other attributes are set on the form. */
export interface SignInProps extends HTMLFormAttributes {
  /** Classes in addition to `signInButton`. */
  className?: string
  /** The id of the provider. Without it, the form leads to the sign-in page. */
  provider?: string
  /** Fields of the form action. Visitors can see and change them. */
  options?:
    | { redirectTo?: string; redirect?: boolean; readonly [field: string]: unknown }
    | FormData
    | undefined
  /** Parameters of the authorization request. */
  authorizationParams?: AuthorizationParams | undefined
  /** The page of which `signIn` is an action, below the application's own path. @default 'signin' */
  signInPage?: string
  submitButton?: Snippet
  /**
   * The field for the email address.
   *
   * @default an input, for mail providers of the catalogue
   */
  email?: Snippet
  credentials?: Snippet
}

/** Other attributes are set on the form. */
export interface SignOutProps extends HTMLFormAttributes {
  /** Classes in addition to `signOutButton`. */
  className?: string
  /** Fields of the form action. */
  options?:
    | { redirectTo?: string; redirect?: boolean; federated?: '1' | '0'; forget?: '1' | '0' }
    | undefined
  /** The page of which `signOut` is an action, below the application's own path. @default 'signout' */
  signOutPage?: string
  submitButton?: Snippet
}

/** A component whose snippets can also be elements with the attribute `slot`. */
export type FormComponent<Props extends object, Slot extends keyof Props> = ComponentType<
  SvelteComponent<Props, Record<string, never>, Record<Slot, Record<string, never>>>
>

/** A form for the action `signIn`, which works without scripts. */
export const SignIn: FormComponent<SignInProps, 'submitButton' | 'email' | 'credentials'> = signIn

/** A form for the action `signOut`, which works without scripts. */
export const SignOut: FormComponent<SignOutProps, 'submitButton'> = signOut
