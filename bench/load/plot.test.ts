import { describe, expect, test } from 'vitest'
import { type Chart, plot, ticksTo } from './plot.ts'

const chart: Chart = {
  title: 'Reads & <writes>',
  x: { name: 'rate', ticks: [0, 500, 1000], scale: 'linear' },
  y: { name: 'p99', ticks: [1, 10, 100], scale: 'logarithmic' },
  mark: { at: 10, name: '10 ms' },
  lines: [
    {
      name: 'one',
      points: [
        [0, 1],
        [1000, 100],
        [2000, 1000],
      ],
    },
    { name: 'none', points: [] },
  ],
}

describe('the plot of a load test', () => {
  const svg = plot([chart, chart], 'a "description"')

  test('has axes, ticks and lines named as text, with markup escaped', () => {
    for (const name of ['rate', 'p99', '1,000', '10 ms', 'one', 'none'])
      expect(svg).toContain(`>${name}</text>`)
    expect(svg).toContain('>Reads &amp; &lt;writes&gt;</text>')
    expect(svg).toContain('aria-label="a &quot;description&quot;"')
  })

  test('opens and closes every element', () => {
    const open: string[] = []
    for (const [, close, name = '', self] of svg.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      if (close) expect(open.pop()).toBe(name)
      else if (!self) open.push(name)
    }
    expect(open).toEqual([])
  })

  test('keeps points inside the chart, and writes neither NaN nor Infinity', () => {
    expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    const [, path = ''] = /class="line line0" d="(M[^"]+L[^"]+)"/.exec(svg) ?? []
    const [first, middle, last] = path.split(' L')
    expect(first).toBe('M70 278')
    expect(middle).toBe('394 74')
    expect(last).toBe(middle)
  })

  test('has colors for light and for dark pages', () => {
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg).toContain('<rect class="page"')
  })
})

test.each([
  [1572, [0, 500, 1000, 1500, 2000]],
  [9, [0, 2.5, 5, 7.5, 10]],
  [0, [0, 0.25, 0.5, 0.75, 1]],
])('the ticks of a scale to %d', (most, expected) => {
  expect(ticksTo(most)).toEqual(expected)
})
