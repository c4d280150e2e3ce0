import { colourOf, contrastOf, textOn } from '../../http/css-colour.ts'
import type { ForSchemes, Theme } from '../../options/pages.ts'

/** The colours of a scheme, by the names of their custom properties. */
type Colours = Readonly<Record<string, string>>

/** Contrast of text and its ground is at least 4.5 : 1, of borders of fields and the focus at least 3 : 1. */
const LIGHT: Colours = {
  page: '#f7f7f8',
  card: '#fff',
  text: '#17171a',
  soft: '#5d5e66',
  button: '#fff',
  line: '#e2e2e6',
  edge: '#8b8c95',
  hover: '#f4f4f5',
  active: '#ebebee',
  tint: '#fafafb',
  accent: '#17171a',
  'on-accent': '#fff',
  ring: '#2f6fed',
  panel: 'var(--accent)',
  'on-panel': 'var(--on-accent)',
  glow: 'color-mix(in srgb,var(--accent) 72%,#fff)',
  bad: '#b42318',
  'bad-page': '#fef3f2',
  'bad-line': '#f6cfcb',
  good: '#067647',
  'good-page': '#effbf4',
  'good-line': '#bfe8d0',
  warn: '#8a4b08',
  'warn-page': '#fff8eb',
  'warn-line': '#f3ddb0',
  shade: '0 1px 2px #1414180d',
  lift: '0 1px 2px #1414180a,0 12px 32px -8px #1414181a',
}

const DARK: Colours = {
  page: '#0c0c0e',
  card: '#141417',
  text: '#ededf0',
  soft: '#a1a2ab',
  button: '#1c1c20',
  line: '#2d2d33',
  edge: '#6d6e78',
  hover: '#26262b',
  active: '#222227',
  tint: '#101013',
  accent: '#ededf0',
  'on-accent': '#17171a',
  ring: '#7aa7ff',
  panel: 'color-mix(in srgb,var(--accent) 18%,#0c0c0e)',
  'on-panel': 'var(--text)',
  glow: 'color-mix(in srgb,var(--accent) 45%,#0c0c0e)',
  bad: '#ff9f97',
  'bad-page': '#2a1413',
  'bad-line': '#572623',
  good: '#75dfa6',
  'good-page': '#0d2218',
  'good-line': '#1d4a33',
  warn: '#f5c26b',
  'warn-page': '#2b1f0b',
  'warn-line': '#5a431a',
  shade: '0 1px 2px #0006',
  lift: '0 1px 2px #0006,0 16px 40px -8px #000a',
}

const SYSTEM_FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'

const MONO_FONT = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace'

const RADIUS = { none: '0px', small: '.25rem', medium: '.5rem', large: '.75rem' } as const

/** A length in CSS that cannot end the rule. */
const LENGTH = /^(?:0|(?:\d{0,4}\.)?\d{1,4}(?:px|rem|em))$/

/** The name of a family of fonts that cannot end the rule. */
const FAMILY = /^[\w -]{1,60}$/

/** Least contrast of what shows where the focus is to the card (WCAG 2.2, 1.4.11). */
const VISIBLE = 3

/** Returns the rules with the custom properties of a theme. Unusable values do not count. */
export function tokensOf(theme: Theme): string {
  const scheme = schemeOf(theme)
  const first = scheme === 'dark' ? coloursOf(theme, 'dark') : coloursOf(theme, 'light')
  const shape = {
    radius: radiusOf(theme),
    control: '2.5rem',
    pad: '2rem',
    font: fontOf(theme),
    mono: MONO_FONT,
  }
  const always = `:root{color-scheme:${scheme};${declared({ ...first, ...shape })}}`
  if (scheme !== AUTO) return always
  const atNight = declared(coloursOf(theme, 'dark'))
  return `${always}@media (prefers-color-scheme:dark){:root{${atNight}}}`
}

/** The setting of the visitor's system. */
const AUTO = 'light dark'

/** Returns the colour scheme in CSS. Since it is part of the style sheet, unknown values are ignored. */
export function schemeOf({ colorScheme }: Theme): string {
  return colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : AUTO
}

/** Returns the colours of the bars of a browser: `[media, colour]`. */
export function browserColours(theme: Theme): readonly (readonly [string, string])[] {
  const scheme = schemeOf(theme)
  const all = [
    ['light', coloursOf(theme, 'light')['page']],
    ['dark', coloursOf(theme, 'dark')['page']],
  ] as const
  return all
    .filter(([name]) => scheme === AUTO || scheme === name)
    .map(([name, colour = '']) => [
      scheme === AUTO ? `(prefers-color-scheme: ${name})` : '',
      colour,
    ])
}

/** Returns the value of an option for one colour scheme. */
export function forScheme(
  value: ForSchemes | undefined,
  scheme: 'light' | 'dark',
): string | undefined {
  return typeof value === 'object' ? value[scheme] : value
}

function coloursOf(theme: Theme, scheme: 'light' | 'dark'): Colours {
  const { tokens = {} } = theme
  const colour = (value: ForSchemes | undefined): string | undefined =>
    colourOf(forScheme(value, scheme))
  const usual = scheme === 'light' ? LIGHT : DARK
  const accent = colour(tokens.accent) ?? colour(theme.accent) ?? colourOf(theme.brandColor)
  const chosen: Record<string, string | undefined> = {
    page: colour(tokens.background),
    text: colour(tokens.text),
    bad: colour(tokens.danger),
    accent,
    'on-accent': accent && (colourOf(theme.buttonText) ?? textOn(accent)),
    ring: accent && isSeenOn(usual['card'] ?? '', accent) ? accent : undefined,
  }
  const kept = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return { ...usual, ...(Object.fromEntries(kept) as Colours) }
}

function isSeenOn(ground: string, colour: string): boolean {
  return (contrastOf(colour, ground) ?? 0) >= VISIBLE
}

function radiusOf({ tokens, radius }: Theme): string {
  const own = tokens?.radius
  return own !== undefined && LENGTH.test(own) ? own : (RADIUS[radius ?? 'medium'] ?? RADIUS.medium)
}

function fontOf({ tokens, font }: Theme): string {
  const families = [tokens?.font ?? font ?? []]
    .flat()
    .flatMap((each) => each.split(','))
    .map((each) => each.trim())
    .filter((each) => FAMILY.test(each))
  return [...families.map((each) => `"${each}"`), SYSTEM_FONT].join(',')
}

function declared(properties: Colours): string {
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
