/** CSS colours. Other text could end the CSS rule. */
const COLOUR =
  /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24}|(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+-]{1,60}(?:deg|rad|turn)?[\d\s.,%/+-]{0,40}\))$/i

/** Returns the value if it is a colour. */
export function colourOf(value: string | undefined): string | undefined {
  const text = value?.trim()
  return text && COLOUR.test(text) ? text : undefined
}

/** The minimum contrast of text (WCAG 2.2, 1.4.3). On every colour, black or white has it. */
const READABLE = 4.5

/** Returns the colour of text on a colour of {@link colourOf}: white, or black if the contrast of white is too low. */
export function textOn(colour: string): '#000' | '#fff' {
  const luminance = luminanceOf(colour)
  return luminance === undefined || 1.05 / (luminance + 0.05) >= READABLE ? '#fff' : '#000'
}

/** Returns the relative luminance; `undefined` for a colour that is not hexadecimal. */
function luminanceOf(colour: string): number | undefined {
  if (!colour.startsWith('#')) return undefined
  const [digits, times] = colour.length < 7 ? [1, 2] : [2, 1]
  const parts = [0, 1, 2].map((part) =>
    colour.slice(1 + part * digits, 1 + (part + 1) * digits).repeat(times),
  )
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const value = Number.parseInt(part, 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
