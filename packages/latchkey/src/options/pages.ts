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

/** A value for both colour schemes, or one for each. */
export type ForSchemes = string | { readonly light: string; readonly dark: string }

/** The look of the built-in pages and mails. A mistake stops the start. */
export interface Theme {
  /**
   * Name of the application in titles and mails: 1 to 60 characters.
   *
   * @default the host
   */
  name?: string | undefined
  /**
   * Address of an image at the top of each page, or `{ light, dark }`.
   *
   * An https address, a path, or a `data:` image of at most 16 kB. It is shown 32 px high and at most 176 px wide. The
   * policy of the pages allows images from its origin.
   *
   * @default a tile with the first letter of the name
   */
  logo?: ForSchemes | undefined
  /**
   * Colour of the primary button and of the tile: a CSS colour, or `{ light, dark }`.
   *
   * Text on it is black or white, whichever has more contrast. A contrast to the card below 3:1 is a warning.
   *
   * @default `brandColor`, else near black, and near white in dark pages
   */
  accent?: ForSchemes | undefined
  /** The `accent` of Auth.js: a CSS colour. `accent` takes precedence. */
  brandColor?: string
  /** A CSS colour for text on `accent`. @default black or white */
  buttonText?: string
  /** Roundness of corners: `none`, `small`, `medium` or `large`. @default 'medium' */
  radius?: 'none' | 'small' | 'medium' | 'large' | undefined
  /**
   * Names of font families before the font of the system: `Inter`, or a list.
   *
   * The pages load no font, so a family must be on the device of the visitor.
   *
   * @default the font of the system
   */
  font?: string | readonly string[] | undefined
  /** What is beside the card on wide screens: nothing (`plain`), or a panel (`split`). @default 'plain' */
  background?: 'plain' | 'split' | undefined
  /** Content of the panel: `{ text }`, a sentence of at most 80 characters. Narrow screens do not show it. */
  panel?: { readonly text?: string | undefined } | undefined
  /** Links below each page: `{ terms, privacy, imprint, support }`, each an https or mailto address, or a path. */
  footer?: ThemeFooter | undefined
  /** Whether pages are `light`, `dark`, or as the browser prefers. @default 'auto' */
  colorScheme?: 'auto' | 'dark' | 'light'
  /**
   * Single values of the style sheet: `{ radius, font, accent, background, text, danger }`.
   *
   * They take precedence over the options of the same name. A pair of colours with a contrast below 4.5:1 is a warning.
   */
  tokens?: ThemeTokens | undefined
  /**
   * CSS after the built-in style sheet, at most 20 kB.
   *
   * `@import`, `url(` with the address of another site, and `</` stop the start. Class names of the pages may change with a
   * minor version.
   */
  css?: string | undefined
}

/** Links below each page: https or mailto addresses, or paths. */
export interface ThemeFooter {
  /** The terms of use. */
  readonly terms?: string | undefined
  /** The privacy policy. */
  readonly privacy?: string | undefined
  /** Who runs the site. */
  readonly imprint?: string | undefined
  /** The page or the address for help. */
  readonly support?: string | undefined
}

/** Values of the style sheet. A colour is a CSS colour, or `{ light, dark }`. */
export interface ThemeTokens {
  /** Radius of buttons and fields, a CSS length such as `.375rem` or `6px`. */
  readonly radius?: string | undefined
  /** Names of font families, as in `font` of the theme. */
  readonly font?: string | readonly string[] | undefined
  /** Colour of the primary button and of the tile. */
  readonly accent?: ForSchemes | undefined
  /** Colour behind the card. */
  readonly background?: ForSchemes | undefined
  /** Colour of text. */
  readonly text?: ForSchemes | undefined
  /** Colour of errors and of buttons that delete. */
  readonly danger?: ForSchemes | undefined
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
  | 'PendingExpired'
