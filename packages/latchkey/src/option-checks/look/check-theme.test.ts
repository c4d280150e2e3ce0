import { describe, expect, test } from 'vitest'
import { createLatchkey } from '../../instance/create-latchkey.ts'
import type { Theme } from '../../options/pages.ts'
import { checkTheme, warningsOfTheme } from './check-theme.ts'

const given = (theme: unknown): { providers: []; theme: Theme } => ({
  providers: [],
  theme: theme as Theme,
})
const faultOf = (theme: unknown): string | undefined => checkTheme(given(theme))?.message
const warningsOf = (theme: unknown): string[] =>
  warningsOfTheme(given(theme)).map(([code, detail]) => `${code}: ${detail}`)

describe('a valid theme', () => {
  for (const theme of [
    undefined,
    {},
    { name: 'Acme' },
    { name: 'Zürich & Söhne <AG> 👩🏽‍🚀' },
    { name: 'x'.repeat(60) },
    { name: null, accent: null, footer: null, css: null },
    { logo: '/logo.svg' },
    { logo: 'https://cdn.example/logo.png?v=1' },
    { logo: `data:image/svg+xml;base64,${'A'.repeat(16_000)}` },
    { logo: { light: '/light.svg', dark: 'data:image/svg+xml,%3Csvg/%3E' } },
    { accent: '#0a6b4b', colorScheme: 'light' },
    { accent: { light: '#0a6b4b', dark: '#6ddcb0' } },
    { accent: 'oklch(0.2 0.1 200)' },
    { brandColor: '', buttonText: '', logo: '', colorScheme: '' },
    { brandColor: '#7c3aed', buttonText: '#fff', colorScheme: 'auto' },
    { radius: 'none' },
    { font: 'Inter' },
    { font: 'Inter, Segoe UI' },
    { font: ['Inter', 'Segoe UI', 'font_2-x'] },
    { background: 'split', panel: { text: 'Grow what you know about your fields.' } },
    { background: 'plain', panel: {} },
    {
      footer: {
        terms: '/terms',
        privacy: 'https://acme.example/p?x=1#a',
        support: 'mailto:help@acme.example',
      },
    },
    { footer: { imprint: undefined } },
    {
      tokens: {
        radius: '.375rem',
        font: 'Inter',
        accent: '#175cd3',
        danger: { light: '#b42318', dark: '#ff9f97' },
      },
      colorScheme: 'light',
    },
    { tokens: { radius: '0' } },
    {
      css: ".card { background: url(/paper.png); content: '\\201C' } .a { mask: url('data:image/svg+xml,x') }",
    },
    { css: 'a{b:c}'.repeat(3000) },
    { tenant: 'own member' },
  ]) {
    test(`may be ${JSON.stringify(theme)?.slice(0, 80)}`, () => {
      expect(faultOf(theme)).toBeUndefined()
      expect(warningsOf(theme)).toEqual([])
    })
  }
})

describe('the start is refused for the theme', () => {
  for (const [theme, message] of [
    [{ name: '' }, '`theme.name` must have 1 to 60 characters, and no control characters, got ""'],
    [{ name: ' ' }, '`theme.name`'],
    [{ name: 'x'.repeat(61) }, '`theme.name`'],
    [{ name: 'a\nb' }, '`theme.name`'],
    [{ name: 'a\u202eb' }, '`theme.name`'],
    [{ name: 7 }, 'got 7'],
    [{ logo: { light: '/logo.svg' } }, '`theme.logo.dark` must be an https address, a path'],
    [{ logo: { light: 'javascript:alert(1)', dark: '/l.svg' } }, 'got "javascript:alert(1)"'],
    [{ logo: { light: '/l.svg', dark: 'data:text/html,x' } }, '`theme.logo.dark`'],
    [
      { logo: { light: `data:image/png;base64,${'A'.repeat(16_384)}`, dark: '/l.svg' } },
      'at most 16 kB',
    ],
    [
      { accent: 'blau grün' },
      '`theme.accent` must be a CSS colour, such as #0a6b4b, or { light, dark } with two, got "blau grün"',
    ],
    [{ accent: { light: '#fff' } }, '`theme.accent`'],
    [{ accent: { light: '#fff', dark: '#000', dim: '#111' } }, '`theme.accent`'],
    [{ accent: 'red}body{display:none' }, '`theme.accent`'],
    [{ radius: 'huge' }, '`theme.radius` must be none, small, medium or large, got "huge"'],
    [{ radius: 'constructor' }, '`theme.radius`'],
    [{ font: 'Inter;}' }, '`theme.font` must be names of font families'],
    [{ font: '"Segoe UI"' }, '`theme.font`'],
    [{ font: [] }, '`theme.font`'],
    [{ font: ['Inter', 7] }, '`theme.font`'],
    [{ font: '' }, '`theme.font`'],
    [{ background: 'image' }, '`theme.background` must be plain or split, got "image"'],
    [{ panel: 'text' }, '`theme.panel` must be { text }, got "text"'],
    [
      { panel: { txt: 'a' } },
      'there is no option `theme.panel.txt`; did you mean `theme.panel.text`?',
    ],
    [{ panel: { text: 'x'.repeat(81) } }, '`theme.panel.text` must have 1 to 80 characters'],
    [{ footer: [] }, '`theme.footer` must be { terms, privacy, imprint, support }'],
    [{ footer: { help: '/help' } }, 'there is no option `theme.footer.help`'],
    [
      { footer: { terms: 'http://acme.example/terms' } },
      '`theme.footer.terms` must be an https or mailto address, or a path such as /terms, got "http://acme.example/terms"',
    ],
    [{ footer: { terms: '//evil.example' } }, '`theme.footer.terms`'],
    [{ footer: { privacy: '/\\evil.example' } }, '`theme.footer.privacy`'],
    [{ footer: { imprint: 'javascript:alert(1)' } }, '`theme.footer.imprint`'],
    [{ footer: { support: 'mailto:help' } }, '`theme.footer.support`'],
    [{ footer: { support: 'https://' } }, '`theme.footer.support`'],
    [
      { tokens: { shadow: '0' } },
      'there is no option `theme.tokens.shadow`. The options are: radius, font, accent, background, text, danger',
    ],
    [
      { tokens: { radius: '6' } },
      '`theme.tokens.radius` must be a length such as 6px or .375rem, got "6"',
    ],
    [{ tokens: { radius: '1px;}' } }, '`theme.tokens.radius`'],
    [{ tokens: { radius: 'px' } }, '`theme.tokens.radius`'],
    [{ tokens: { text: 'var(--x)' } }, '`theme.tokens.text`'],
    [{ css: 7 }, '`theme.css` must be a string, got 7'],
    [{ css: 'x'.repeat(20 * 1024 + 1) }, '`theme.css` is longer than 20 kB'],
    [{ css: '@IMPORT "a.css";' }, '`theme.css` contains `@import`'],
    [{ css: 'a{}</style>' }, '`theme.css` contains `</`'],
    [
      { css: 'a{background:URL( "https://evil.example/x")}' },
      '`theme.css` contains `url(` with the address of another site; use a path',
    ],
    [{ css: 'a{background:url(//evil.example/x)}' }, '`theme.css` contains `url(`'],
  ] as const) {
    test(`T-WEB-4: ${JSON.stringify(theme).slice(0, 80)}`, () => {
      expect(faultOf(theme)).toContain(message)
      expect(faultOf(theme)?.length).toBeLessThan(420)
    })
  }
})

describe('a theme that causes a warning', () => {
  for (const [theme, ...warnings] of [
    ['dark', 'option-ignored: `theme` must be an object, got "dark"'],
    [
      { brandColor: 'blau grün' },
      'option-ignored: `theme.brandColor` must be a CSS colour, such as #0a6b4b, got "blau grün"',
    ],
    [
      { brandColor: 7 },
      'option-ignored: `theme.brandColor` must be a CSS colour, such as #0a6b4b, got 7',
    ],
    [
      { buttonText: 'url(x)' },
      'option-ignored: `theme.buttonText` must be a CSS colour, such as #0a6b4b, got "url(x)"',
    ],
    [
      { colorScheme: 'night' },
      'option-ignored: `theme.colorScheme` must be auto, light or dark, got "night"',
    ],
    [
      { logo: 'javascript:alert(1)' },
      'option-ignored: `theme.logo` must be an https address, a path, or an image of at most 16 kB in a `data:` URL, such as /logo.svg, got "javascript:alert(1)"',
    ],
    [
      { acent: '#fff', colourScheme: 'dark' },
      'unknown-option: there is no option `theme.acent`; did you mean `theme.accent`?',
      'unknown-option: there is no option `theme.colourScheme`; did you mean `theme.colorScheme`?',
    ],
    [
      { brandColor: '#123456' },
      'low-contrast: `theme.brandColor` (#123456) has a contrast of 1.44:1 to the card (#141417) on dark pages; choose one with 3:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
    [
      { accent: '#fc0', colorScheme: 'light' },
      'low-contrast: `theme.accent` (#fc0) has a contrast of 1.51:1 to the card (#fff) on light pages; choose one with 3:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
    [
      { accent: '#0a6b4b', buttonText: '#888', colorScheme: 'light' },
      'low-contrast: `theme.buttonText` (#888) has a contrast of 1.84:1 to `theme.accent` (#0a6b4b) on light pages; choose one with 4.5:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
    [
      { tokens: { text: '#999', background: '#fff' }, colorScheme: 'light' },
      'low-contrast: `theme.tokens.text` (#999) has a contrast of 2.84:1 to the card (#fff) on light pages; choose one with 4.5:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
      'low-contrast: `theme.tokens.text` (#999) has a contrast of 2.84:1 to `theme.tokens.background` (#fff) on light pages; choose one with 4.5:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
    [
      { tokens: { background: '#333' }, colorScheme: 'light' },
      'low-contrast: the text (#17171a) has a contrast of 1.41:1 to `theme.tokens.background` (#333) on light pages; choose one with 4.5:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
    [
      { tokens: { danger: '#b42318' }, colorScheme: 'dark' },
      'low-contrast: `theme.tokens.danger` (#b42318) has a contrast of 2.79:1 to the card (#141417) on dark pages; choose one with 4.5:1 or more; `accent` and `tokens` accept one for each scheme, { light, dark }',
    ],
  ] as const) {
    test(`is ${JSON.stringify(theme)}`, () => {
      expect(faultOf(theme)).toBeUndefined()
      expect(warningsOf(theme)).toEqual(warnings)
    })
  }
})

test('createLatchkey reports errors and warnings of a theme', () => {
  const warned: unknown[] = []
  const config = {
    providers: [],
    secret: 'kP4dVzW8mQ2sXy7LcT9bRn3HfJ6gAe5u',
    trustHost: true,
    logger: { warn: (...told: unknown[]) => warned.push(told) },
  } as const
  expect(() => createLatchkey({ ...config, theme: { radius: 'huge' as 'large' } }, {})).toThrow(
    '`theme.radius` must be none, small, medium or large, got "huge"',
  )
  createLatchkey({ ...config, theme: { brandColor: 'no colour' } }, {})
  expect(warned).toEqual([['option-ignored', expect.stringContaining('`theme.brandColor`')]])
})
