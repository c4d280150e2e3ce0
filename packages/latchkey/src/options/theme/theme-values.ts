import { colourOf, textOn } from '../../http/css-colour.ts'
import type { ForSchemes, Theme } from '../pages.ts'
import { cssFault, familyNames, isFamily, isLength, isName } from './theme-checks.ts'

/** A colour scheme that pages can have. */
export type Scheme = 'light' | 'dark'

/** The colours of the built-in style sheet that those of an application stand beside. */
export const SHEET: Readonly<Record<Scheme, { page: string; card: string; text: string }>> = {
  light: { page: '#f7f7f8', card: '#fff', text: '#17171a' },
  dark: { page: '#0c0c0e', card: '#141417', text: '#ededf0' },
}

/** Returns the schemes of a theme. The page follows the system if there are two. */
export function schemesOf({ colorScheme }: Theme): readonly Scheme[] {
  return colorScheme === 'light' || colorScheme === 'dark' ? [colorScheme] : ['light', 'dark']
}

/** Returns the value for a scheme. */
export function forScheme(value: ForSchemes | undefined, scheme: Scheme): string | undefined {
  const one: unknown = typeof value === 'object' ? value?.[scheme] : value
  return typeof one === 'string' ? one : undefined
}

/** Returns the colour for a scheme; `undefined` if it is not a colour. */
export function colourFor(value: ForSchemes | undefined, scheme: Scheme): string | undefined {
  return colourOf(forScheme(value, scheme))
}

/** Returns the colour of the primary button, if the application chose it. */
export function accentOf(theme: Theme, scheme: Scheme): string | undefined {
  const { tokens, accent, brandColor } = theme
  return (
    colourFor(tokens?.accent, scheme) ?? colourFor(accent, scheme) ?? colourFor(brandColor, scheme)
  )
}

/** Returns the colour of text on the accent, if the application chose an accent. */
export function onAccentOf(theme: Theme, scheme: Scheme): string | undefined {
  const accent = accentOf(theme, scheme)
  return accent && (colourFor(theme.buttonText, scheme) ?? textOn(accent))
}

/** Returns a font family list for CSS, without the font of the system; `undefined` if there is none. */
export function familiesOf({ tokens, font }: Theme): string | undefined {
  const names = familyNames(tokens?.font ?? font).filter(isFamily)
  return names.length > 0 ? names.map((name) => `"${name}"`).join(',') : undefined
}

/** Radius of buttons and fields for each name. */
export const RADII: Readonly<Record<NonNullable<Theme['radius']>, string>> = {
  none: '0',
  small: '.25rem',
  medium: '.5rem',
  large: '.75rem',
}

/** Returns the radius of buttons and fields; `undefined` for the default. */
export function radiusOf({ tokens, radius }: Theme): string | undefined {
  if (isLength(tokens?.radius)) return tokens?.radius
  return radius !== undefined && Object.hasOwn(RADII, radius) ? RADII[radius] : undefined
}

/** Returns the CSS of the application; `undefined` if the pages cannot contain it. */
export function cssOf({ css }: Theme): string | undefined {
  return typeof css === 'string' && cssFault(css) === undefined ? css : undefined
}

/** Returns the name of the application; `undefined` if it has none that can be shown. */
export function nameOf({ name }: Theme): string | undefined {
  return isName(name) ? name : undefined
}
