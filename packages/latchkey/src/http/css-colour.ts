/** CSS colours. Other text could end the CSS rule. */
const COLOUR =
  /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24}|(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+-]{1,60}(?:deg|rad|turn)?[\d\s.,%/+-]{0,40}\))$/i

/** Returns the value if it is a colour. */
export function colourOf(value: string | undefined): string | undefined {
  const text = value?.trim()
  return text && COLOUR.test(text) ? text : undefined
}

/** Returns the colour of text on a colour of {@link colourOf}: black or white, whichever has more contrast. */
export function textOn(colour: string): '#000' | '#fff' {
  const onWhite = contrastOf(colour, '#fff')
  return onWhite === undefined || onWhite >= (contrastOf(colour, '#000') ?? 0) ? '#fff' : '#000'
}

/**
 * Returns the contrast of two colours (WCAG 2.2, relative luminance), 1 to 21. Transparency does not count.
 *
 * @returns `undefined` for a colour that is not hexadecimal, `rgb()`, `hsl()` or one of the common names.
 */
export function contrastOf(one: string, other: string): number | undefined {
  const [a, b] = [luminanceOf(one), luminanceOf(other)]
  if (a === undefined || b === undefined) return undefined
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminanceOf(colour: string): number | undefined {
  const channels = channelsOf(colour)
  if (!channels) return undefined
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The names that are common. CSS has 148. */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    black: '#000',
    white: '#fff',
    gray: '#808080',
    grey: '#808080',
    silver: '#c0c0c0',
    red: '#f00',
    maroon: '#800000',
    crimson: '#dc143c',
    tomato: '#ff6347',
    orange: '#ffa500',
    gold: '#ffd700',
    yellow: '#ff0',
    olive: '#808000',
    lime: '#0f0',
    green: '#008000',
    teal: '#008080',
    aqua: '#0ff',
    cyan: '#0ff',
    blue: '#00f',
    navy: '#000080',
    indigo: '#4b0082',
    purple: '#800080',
    rebeccapurple: '#639',
    fuchsia: '#f0f',
    magenta: '#f0f',
    pink: '#ffc0cb',
  }),
)

/** Returns red, green and blue from 0 to 1. */
function channelsOf(given: string): number[] | undefined {
  const colour = NAMED.get(given.toLowerCase()) ?? given
  if (colour.startsWith('#')) {
    const [digits, times] = colour.length < 7 ? [1, 2] : [2, 1]
    return [0, 1, 2].map(
      (part) =>
        Number.parseInt(
          colour.slice(1 + part * digits, 1 + (part + 1) * digits).repeat(times),
          16,
        ) / 255,
    )
  }
  const [, model, text = ''] = /^(rgb|hsl)a?\((.*)\)$/i.exec(colour) ?? []
  const parts = text.split(/[\s,/]+/).filter((part) => part !== '')
  const numbers = parts.slice(0, 3).map((part) => Number.parseFloat(part))
  if (!model || numbers.length < 3 || numbers.some(Number.isNaN)) return undefined
  if (model.toLowerCase() === 'hsl') return fromHsl(numbers, parts[0] as string)
  return numbers.map((value, at) => limited(value / (parts[at]?.endsWith('%') ? 100 : 255)))
}

/** CSS Color 4, section 7.1. */
function fromHsl([angle = 0, s = 0, l = 0]: readonly number[], text: string): number[] {
  const turns = text.endsWith('turn') ? angle : angle / (text.endsWith('rad') ? 2 * Math.PI : 360)
  const lightness = limited(l / 100)
  const range = limited(s / 100) * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const k = (((offset + turns * 12) % 12) + 12) % 12
    return lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  })
}

function limited(value: number): number {
  return Math.min(1, Math.max(0, value))
}
