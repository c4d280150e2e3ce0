import { describe, expect, test } from 'vitest'
import { colourOf, textOn } from './css-colour.ts'

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
    test(`${colour} is one`, () => {
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
    ['rgb(255 255 255)', '#fff'],
  ] as const) {
    test(`text on ${colour} is ${text}`, () => {
      expect(textOn(colour)).toBe(text)
    })
  }
})
