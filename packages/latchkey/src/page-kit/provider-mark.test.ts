import { describe, expect, test } from 'vitest'
import { mark as apple } from '../providers/marks/apple.ts'
import { colouredMark as google, mark as plainGoogle } from '../providers/marks/google.ts'
import { colouredMark as microsoft } from '../providers/marks/microsoft.ts'
import MicrosoftEntraID from '../providers/microsoft-entra-id.ts'
import { markOf } from './provider-mark.ts'

const fillsOf = (markup: string): string[] =>
  [...markup.matchAll(/fill="([^"]*)"/g)].map(([, fill = '']) => fill)

describe('the mark of a provider', () => {
  test('is one path in the colour of the text', () => {
    expect(markOf({ mark: apple, brandColor: '#123456' }, 'Apple')).toBe(
      `<svg class="mark" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="${apple}"/></svg>`,
    )
  })

  test('has the colours of Google and Microsoft', () => {
    expect(fillsOf(markOf({ mark: plainGoogle, colouredMark: google }, 'Google'))).toEqual([
      '#EA4335',
      '#4285F4',
      '#FBBC05',
      '#34A853',
    ])
    expect(fillsOf(markOf({ colouredMark: microsoft }, 'Microsoft'))).toEqual([
      '#F25022',
      '#7FBA00',
      '#00A4EF',
      '#FFB900',
    ])
    expect(MicrosoftEntraID({}).style?.colouredMark).toBe(microsoft)
  })

  test('is the logo of the application, if it has one', () => {
    expect(markOf({ mark: apple, logo: '/apple.svg' }, 'Apple')).toBe(
      '<img class="mark" src="/apple.svg" width="18" height="18" alt="">',
    )
    expect(markOf({ mark: apple, logo: 'javascript:alert(1)' }, 'Apple')).toContain('<svg')
  })

  test.each([
    ['Émile', 'É'],
    [' acme', 'A'],
    ['😀 smile', '😀'],
    ['', ''],
  ])('is the first letter of the name %j', (name, letter) => {
    expect(markOf({}, name)).toContain(`text-anchor="middle">${letter}</text></svg>`)
  })

  test('T-WEB-4: takes no markup from its values', () => {
    const evil = '"><script>alert(1)</script>'
    for (const markup of [
      markOf({ mark: evil }, 'A'),
      markOf({ colouredMark: { viewBox: evil, paths: [{ d: evil, fill: evil }] } }, 'A'),
      markOf({ logo: `/${evil}` }, 'A'),
      markOf({}, '<'),
    ])
      expect(markup.match(/<[a-z]+/g)).toEqual(expect.not.arrayContaining(['<script']))
    expect(markOf({}, '<')).toContain('>&lt;</text>')
  })
})
