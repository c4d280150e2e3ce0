import type { ComponentType, Snippet, SvelteComponent } from 'svelte'
import type { HTMLFormAttributes } from 'svelte/elements'
import type { AuthorizationParams } from './client.ts'
import signIn from './sign-in.svelte'
import signOut from './sign-out.svelte'

/** Attributes that are not named here are those of the form. */
export interface SignInProps extends HTMLFormAttributes {
  /** Beside the class `signInButton`. */
  className?: string
  /** Its id; without one the form leads to the sign-in page. */
  provider?: string
  /** Fields of the form action. They are in the page: nothing that the visitor may not see or change. */
  options?:
    | { redirectTo?: string; redirect?: boolean; readonly [field: string]: unknown }
    | FormData
    | undefined
  /** For the provider's authorization page. */
  authorizationParams?: AuthorizationParams | undefined
  /** The page of which `signIn` is an action, below the application's own path. @default 'signin' */
  signInPage?: string
  submitButton?: Snippet
  /** @default a field for the address, for a provider that mails and has its usual id */
  email?: Snippet
  credentials?: Snippet
}

/** Attributes that are not named here are those of the form. */
export interface SignOutProps extends HTMLFormAttributes {
  /** Beside the class `signOutButton`. */
  className?: string
  /** Fields of the form action. */
  options?: { redirectTo?: string; redirect?: boolean } | undefined
  /** The page of which `signOut` is an action, below the application's own path. @default 'signout' */
  signOutPage?: string
  submitButton?: Snippet
}

/** A component whose snippets may also be elements with the attribute `slot`. */
export type FormComponent<Props extends object, Slot extends keyof Props> = ComponentType<
  SvelteComponent<Props, Record<string, never>, Record<Slot, Record<string, never>>>
>

/** A form for the action `signIn`, which works without scripts. */
export const SignIn: FormComponent<SignInProps, 'submitButton' | 'email' | 'credentials'> = signIn

/** A form for the action `signOut`, which works without scripts. */
export const SignOut: FormComponent<SignOutProps, 'submitButton'> = signOut
