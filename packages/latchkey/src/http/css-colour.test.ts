import { describe, expect, test } from 'vitest'
import { colourOf, contrastOf, textOn } from './css-colour.ts'

describe('a colour', () => {
  for (const colour of [
    '#fff',
    '#fff8',
    '#4F46E5',
    '#4f46e580',
    'rebeccapurple',
    'rgb(1, 2, 3)',
    'rgb(1 2 3 / 50%)',
    'hsl(120deg 50% 50%)',
    'oklch(0.7 0.1 200)',
  ]) {
    test(`of CSS is accepted: ${colour}`, () => {
      expect(colourOf(` ${colour} `)).toBe(colour)
    })
  }

  for (const text of [
    '',
    '#12',
    '#12345',
    '#1234567',
    'red;background:url(//evil.example)',
    'red}body{display:none',
    'url(https://evil.example/x)',
    'rgb(1,2,3)}',
    'var(--x)',
    'expression(alert(1))',
    '</style><script>',
    'rgb(url(x))',
    'red/**/',
    'a'.repeat(30),
  ]) {
    test(`T-WEB-4: ${JSON.stringify(text)} is not accepted`, () => {
      expect(colourOf(text)).toBeUndefined()
    })
  }

  test('is undefined if the configuration has none, and its text is black or white by contrast', () => {
    expect(colourOf(undefined)).toBeUndefined()
  })

  for (const [colour, text] of [
    ['#fff', '#000'],
    ['#000', '#fff'],
    ['#ffff00', '#000'],
    ['#ff08', '#000'],
    ['#4f46e580', '#fff'],
    ['#4f46e5', '#fff'],
    ['rgb(255 255 255)', '#000'],
    ['hsl(60deg 100% 50%)', '#000'],
    ['navy', '#fff'],
    ['oklch(0.95 0.1 200)', '#fff'],
  ] as const) {
    test(`${colour} has text in ${text}`, () => {
      expect(textOn(colour)).toBe(text)
    })
  }
})

describe('the contrast', () => {
  for (const [one, other, contrast] of [
    ['#fff', '#000', 21],
    ['#000', 'white', 21],
    ['#767676', '#fff', 4.54],
    ['rgb(118 118 118)', '#FFFFFF', 4.54],
    ['rgba(46.27%, 46.27%, 46.27%, .5)', '#fff', 4.54],
    ['hsl(0, 0%, 46.27%)', '#fff', 4.54],
    ['hsl(240 100% 50%)', '#fff', 8.59],
    ['hsl(-120deg 100% 50%)', '#fff', 8.59],
    ['hsl(.6666667turn 100% 50%)', '#fff', 8.59],
    ['hsl(4.18879rad 100% 50%)', '#fff', 8.59],
    ['BLUE', '#fff', 8.59],
    ['rgb(300 300 300)', '#fff', 1],
  ] as const) {
    test(`of ${one} and ${other} is ${contrast}`, () => {
      expect(contrastOf(one, other)).toBeCloseTo(contrast, 1)
    })
  }

  for (const colour of ['oklch(0.7 0.1 200)', 'lavenderblush', 'rgb(1 2)', 'constructor']) {
    test(`of ${colour} is unknown`, () => {
      expect(contrastOf(colour, '#fff')).toBeUndefined()
      expect(contrastOf('#fff', colour)).toBeUndefined()
    })
  }

  test('of text on any colour is at least 4.5:1', () => {
    for (let red = 0; red < 256; red += 15)
      for (let green = 0; green < 256; green += 15)
        for (let blue = 0; blue < 256; blue += 15) {
          const colour = `rgb(${red} ${green} ${blue})`
          expect(contrastOf(colour, textOn(colour))).toBeGreaterThan(4.5)
        }
  })
})
