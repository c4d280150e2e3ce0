import { contrastOf } from '../../http/css-colour.ts'
import type { Theme } from '../../options/pages.ts'
import {
  accentOf,
  colourFor,
  familiesOf,
  onAccentOf,
  RADII,
  radiusOf,
  type Scheme,
  SHEET,
} from '../../options/theme/theme-values.ts'

/** The colours of a scheme, by the names of their custom properties. */
type Colours = Readonly<Record<string, string>>

/** Contrast of text and its ground is at least 4.5 : 1, of borders of fields and the focus at least 3 : 1. */
const LIGHT: Colours = {
  ...SHEET.light,
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
  ...SHEET.dark,
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

/** Least contrast of what shows where the focus is to the card (WCAG 2.2, 1.4.11). */
const VISIBLE = 3

/** Returns the rules with the custom properties of a theme. Unusable values do not count. */
export function tokensOf(theme: Theme): string {
  const scheme = schemeOf(theme)
  const first = scheme === 'dark' ? coloursOf(theme, 'dark') : coloursOf(theme, 'light')
  const shape = {
    radius: radiusOf(theme) ?? RADII.medium,
    control: '2.5rem',
    pad: '2rem',
    font: [familiesOf(theme), SYSTEM_FONT].filter(Boolean).join(','),
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

function coloursOf(theme: Theme, scheme: Scheme): Colours {
  const { tokens = {} } = theme
  const usual = scheme === 'light' ? LIGHT : DARK
  const accent = accentOf(theme, scheme)
  const chosen: Record<string, string | undefined> = {
    page: colourFor(tokens.background, scheme),
    text: colourFor(tokens.text, scheme),
    bad: colourFor(tokens.danger, scheme),
    accent,
    'on-accent': onAccentOf(theme, scheme),
    ring: accent && isSeenOn(usual['card'] ?? '', accent) ? accent : undefined,
  }
  const kept = Object.entries(chosen).filter(([, value]) => value !== undefined)
  return { ...usual, ...(Object.fromEntries(kept) as Colours) }
}

function isSeenOn(ground: string, colour: string): boolean {
  return (contrastOf(colour, ground) ?? 0) >= VISIBLE
}

function declared(properties: Colours): string {
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}
