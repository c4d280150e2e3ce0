/** Pages of the application that replace the built-in ones. */
export interface PagesOptions {
  /** The page on which visitors sign in. */
  signIn: string
  /** The page on which visitors confirm the sign-out. */
  signOut: string
  /** The page that shows an error; it receives the query parameter `error`. */
  error: string
  /** The page that says that a mail was sent. */
  verifyRequest: string
  /** The page to which users go after their first sign-in. */
  newUser: string
}

/** The look of the built-in pages and mails. */
export interface Theme {
  /** Whether pages are `light`, `dark`, or as the browser prefers. @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** Address of an image at the top of each page. */
  logo?: string
  /** A CSS colour, for example of buttons. */
  brandColor?: string
  /** A CSS colour for text on `brandColor`. */
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
