/** Pages of the application that replace the built-in ones. */
export interface PagesOptions {
  signIn: string
  signOut: string
  /** Gets the `error` query parameter. */
  error: string
  verifyRequest: string
  /** Where people go at their first sign-in. */
  newUser: string
}

/** How the built-in pages and mails look. */
export interface Theme {
  /** @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of an image shown on top of each page. */
  logo?: string
  /** A CSS colour. */
  brandColor?: string
  /** A CSS colour, on top of `brandColor`. */
  buttonText?: string
}

/** Values of the `error` parameter that the error page knows. */
export type ErrorPageParam = 'Configuration' | 'AccessDenied' | 'Verification'

/** Values of the `error` parameter that the sign-in page knows. */
export type SignInPageErrorParam =
  | 'Signin'
  | 'OAuthSignin'
  | 'OAuthCallbackError'
  | 'OAuthCreateAccount'
  | 'EmailCreateAccount'
  | 'Callback'
  | 'OAuthAccountNotLinked'
  | 'EmailSignin'
  | 'CredentialsSignin'
  | 'SessionRequired'
