import { excerpt } from '../../base/encoding/excerpt.ts'
import { AuthError } from '../../base/errors.ts'
import { misspelledIn, unknownIn } from '../../base/option-names.ts'
import { colourOf, contrastOf } from '../../http/css-colour.ts'
import type { AuthConfig } from '../../options/auth-config.ts'
import type { WarningCode } from '../../options/logger.ts'
import type { Theme, ThemeFooter, ThemeTokens } from '../../options/pages.ts'
import {
  cssFault,
  familyNames,
  isFamily,
  isLength,
  isLink,
  isLogo,
  isName,
  isPlainText,
} from '../../options/theme/theme-checks.ts'
import {
  accentOf,
  colourFor,
  onAccentOf,
  RADII,
  type Scheme,
  SHEET,
  schemesOf,
} from '../../options/theme/theme-values.ts'

type Names<T> = Readonly<Record<keyof T, true>>

const themeNames: Names<Theme> = {
  name: true,
  logo: true,
  accent: true,
  brandColor: true,
  buttonText: true,
  radius: true,
  font: true,
  background: true,
  panel: true,
  footer: true,
  colorScheme: true,
  tokens: true,
  css: true,
}

const footerNames: Names<ThemeFooter> = { terms: true, privacy: true, imprint: true, support: true }

const tokenNames: Names<ThemeTokens> = {
  radius: true,
  font: true,
  accent: true,
  background: true,
  text: true,
  danger: true,
}

/** An option of the theme: its name, its value, what it accepts, and the same in words. */
type Row = readonly [name: string, value: unknown, fits: (value: unknown) => boolean, what: string]

const LOGO =
  'must be an https address, a path, or an image of at most 16 kB in a `data:` URL, such as /logo.svg'
const COLOUR = 'must be a CSS colour, such as #0a6b4b'
const COLOURS = `${COLOUR}, or { light, dark } with two`
const FONT =
  "must be names of font families with letters, digits, spaces and hyphens, such as 'Inter' or ['Inter', 'Segoe UI']"
const LINK = 'must be an https or mailto address, or a path such as /terms'

/**
 * Checks the look of the pages. An invalid value of an option that Auth.js has is only a warning, since Auth.js ignores
 * such a value.
 */
export function checkTheme({ theme }: AuthConfig): AuthError | undefined {
  if (!isObject(theme)) return undefined
  const { panel, footer, tokens, css } = theme
  return (
    checkMembers('panel', panel, { text: true }) ??
    checkMembers('footer', footer, footerNames) ??
    checkMembers('tokens', tokens, tokenNames) ??
    rowsOf(theme)
      .map((row) => problemOf(row))
      .filter((message) => message !== undefined)
      .map((message) => new AuthError(message))[0] ??
    checkCss(css)
  )
}

function rowsOf({ panel, footer, tokens, ...theme }: Theme): Row[] {
  const { light, dark } = isObject(theme.logo) ? theme.logo : {}
  return [
    ['name', theme.name, isName, 'must have 1 to 60 characters, and no control characters'],
    ...(isObject(theme.logo)
      ? ([
          ['logo.light', light ?? false, isLogo, LOGO],
          ['logo.dark', dark ?? false, isLogo, LOGO],
        ] as const)
      : []),
    ['accent', theme.accent, isColour, COLOURS],
    ['radius', theme.radius, oneOf(RADII), 'must be none, small, medium or large'],
    ['font', theme.font, isFont, FONT],
    ['background', theme.background, oneOf({ plain: true, split: true }), 'must be plain or split'],
    [
      'panel.text',
      panel?.text,
      (text) => isPlainText(text, 80),
      'must have 1 to 80 characters, and no control characters',
    ],
    ['footer.terms', footer?.terms, isLink, LINK],
    ['footer.privacy', footer?.privacy, isLink, LINK],
    ['footer.imprint', footer?.imprint, isLink, LINK],
    ['footer.support', footer?.support, isLink, LINK],
    ['tokens.radius', tokens?.radius, isLength, 'must be a length such as 6px or .375rem'],
    ['tokens.font', tokens?.font, isFont, FONT],
    ['tokens.accent', tokens?.accent, isColour, COLOURS],
    ['tokens.background', tokens?.background, isColour, COLOURS],
    ['tokens.text', tokens?.text, isColour, COLOURS],
    ['tokens.danger', tokens?.danger, isColour, COLOURS],
  ]
}

type Warning = readonly [code: WarningCode, detail: string]

/** Returns the problems of the look of the pages that do not stop the start. */
export function warningsOfTheme({ theme }: AuthConfig): Warning[] {
  if (!theme) return []
  if (!isObject(theme))
    return [['option-ignored', `\`theme\` must be an object, got ${shown(theme)}`]]
  return [
    ...misspelledIn(theme, Object.keys(themeNames), 'theme.').map(
      (detail): Warning => ['unknown-option', detail],
    ),
    ...ignoredIn(theme).map((detail): Warning => ['option-ignored', detail]),
    ...schemesOf(theme)
      .flatMap((scheme) => [...lowContrasts(theme, scheme)])
      .map((detail): Warning => ['low-contrast', detail]),
  ]
}

/** An empty text is no value, since Auth.js has it as a default. */
function ignoredIn({ logo, brandColor, buttonText, colorScheme }: Theme): string[] {
  const schemes = { auto: true, light: true, dark: true, '': true }
  const rows: Row[] = [
    ['logo', isObject(logo) || logo === '' ? undefined : logo, isLogo, LOGO],
    ['brandColor', brandColor === '' ? undefined : brandColor, isOneColour, COLOUR],
    ['buttonText', buttonText === '' ? undefined : buttonText, isOneColour, COLOUR],
    ['colorScheme', colorScheme, oneOf(schemes), 'must be auto, light or dark'],
  ]
  return rows.flatMap((row) => problemOf(row) ?? [])
}

function* lowContrasts(theme: Theme, scheme: Scheme): Generator<string> {
  const { card, page, text: ink } = SHEET[scheme]
  const pair = function* (
    [name, colour]: readonly [string, string],
    [below, on]: readonly [string, string],
    least: number,
  ): Generator<string> {
    const contrast = contrastOf(colour, on)
    if (contrast === undefined || contrast >= least) return
    const shown = Math.floor(contrast * 100) / 100
    yield `${name} (${colour}) has a contrast of ${shown}:1 to ${below} (${on}) on ${scheme} pages; choose one with ${least}:1 or more; \`accent\` and \`tokens\` accept one for each scheme, { light, dark }`
  }
  const { tokens } = theme
  const accent = accentOf(theme, scheme)
  if (accent) {
    const name = `\`theme.${tokens?.accent ? 'tokens.accent' : theme.accent ? 'accent' : 'brandColor'}\``
    yield* pair([name, accent], ['the card', card], 3)
    yield* pair(['`theme.buttonText`', onAccentOf(theme, scheme) ?? ink], [name, accent], 4.5)
  }
  const background = colourFor(tokens?.background, scheme)
  const text = colourFor(tokens?.text, scheme)
  const danger = colourFor(tokens?.danger, scheme)
  const behind = ['`theme.tokens.background`', background ?? page] as const
  if (text) {
    yield* pair(['`theme.tokens.text`', text], ['the card', card], 4.5)
    yield* pair(['`theme.tokens.text`', text], background ? behind : ['the page', page], 4.5)
  } else if (background) yield* pair(['the text', ink], behind, 4.5)
  if (danger) yield* pair(['`theme.tokens.danger`', danger], ['the card', card], 4.5)
}

/** Returns a message that names the value, unless there is none or it fits. */
function problemOf([name, value, fits, what]: Row): string | undefined {
  if (value === undefined || value === null || fits(value)) return undefined
  return `\`theme.${name}\` ${what}, got ${shown(value)}`
}

function shown(value: unknown): string {
  return excerpt(JSON.stringify(value) ?? typeof value)
}

/** Checks that an option is an object with known members. */
function checkMembers(
  name: string,
  value: unknown,
  known: Readonly<Record<string, true>>,
): AuthError | undefined {
  if (value === undefined || value === null) return undefined
  const names = Object.keys(known)
  if (!isObject(value))
    return new AuthError(`\`theme.${name}\` must be { ${names.join(', ')} }, got ${shown(value)}`)
  const fault = unknownIn(value, names, `theme.${name}.`)
  return fault === undefined ? undefined : new AuthError(fault)
}

function checkCss(css: unknown): AuthError | undefined {
  if (css === undefined || css === null) return undefined
  const fault = typeof css === 'string' ? cssFault(css) : `must be a string, got ${shown(css)}`
  return fault === undefined ? undefined : new AuthError(`\`theme.css\` ${fault}`)
}

function oneOf(names: Readonly<Record<string, unknown>>): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && Object.hasOwn(names, value)
}

function isOneColour(value: unknown): boolean {
  return typeof value === 'string' && colourOf(value) !== undefined
}

function isColour(value: unknown): boolean {
  if (!isObject(value)) return isOneColour(value)
  const { light, dark, ...others } = value as { light?: unknown; dark?: unknown }
  return isOneColour(light) && isOneColour(dark) && Object.keys(others).length === 0
}

function isFont(font: unknown): boolean {
  if (typeof font !== 'string' && !Array.isArray(font)) return false
  const names = familyNames(font)
  return names.length > 0 && names.length <= 10 && names.every(isFamily)
}

function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
