/** Draws the results of the load test as SVG, which is readable on light and on dark pages. */

/** A line of a chart. */
export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Axis {
  readonly name: string
  /** Values that are named at the axis, the least and the greatest included. */
  readonly ticks: readonly number[]
  readonly scale: 'linear' | 'logarithmic'
  readonly label?: (value: number) => string
}

export interface Chart {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
  /** A value of y that is marked, and what it means. */
  readonly mark?: { readonly at: number; readonly name: string }
}

const WIDTH = 420
const HEIGHT = 330
/** Space around the area in which lines are drawn, in pixels. */
const SPACE = { left: 70, right: 26, top: 74, bottom: 52 }
const AREA = {
  width: WIDTH - SPACE.left - SPACE.right,
  height: HEIGHT - SPACE.top - SPACE.bottom,
}

const STYLE = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
  .title { font-weight: 600; font-size: 14px; }
  .muted { fill: #59636e; }
  .page { fill: #ffffff; stroke: #d1d9e0; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .mark { stroke: #c4323f; stroke-width: 1.5; stroke-dasharray: 6 4; }
  .mark-name { fill: #c4323f; }
  .line { fill: none; stroke-width: 2; }
  .line0 { stroke: #0969da; } .dot0 { fill: #0969da; }
  .line1 { stroke: #bc4c00; stroke-dasharray: 8 3; } .dot1 { fill: #bc4c00; }
  .line2 { stroke: #1a7f37; stroke-dasharray: 2 3; } .dot2 { fill: #1a7f37; }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc; }
    .muted { fill: #9198a1; }
    .page { fill: #0d1117; stroke: #3d444d; }
    .grid { stroke: #3d444d; }
    .mark { stroke: #ff7b72; }
    .mark-name { fill: #ff7b72; }
    .line0 { stroke: #4493f8; } .dot0 { fill: #4493f8; }
    .line1 { stroke: #f0883e; } .dot1 { fill: #f0883e; }
    .line2 { stroke: #3fb950; } .dot2 { fill: #3fb950; }
  }`

/** Returns an SVG document with charts side by side. @param description what they show, for people who do not see them */
export function plot(charts: readonly Chart[], description: string): string {
  const width = WIDTH * charts.length
  const drawn = charts.map(
    (chart, index) => `<g transform="translate(${index * WIDTH} 0)">\n${drawChart(chart)}\n</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="img" aria-label="${escape(description)}">
<style>${STYLE}
</style>
<rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${HEIGHT - 1}" rx="6"/>
${drawn.join('\n')}
</svg>
`
}

function drawChart({ title, x, y, lines, mark }: Chart): string {
  const right = SPACE.left + AREA.width
  const bottom = SPACE.top + AREA.height
  const toX = (value: number): number => SPACE.left + place(x, value) * AREA.width
  const toY = (value: number): number => bottom - place(y, value) * AREA.height
  const parts = [
    text(SPACE.left, 26, title, 'class="title"'),
    ...y.ticks.flatMap((tick) => [
      `<line class="grid" x1="${SPACE.left}" y1="${px(toY(tick))}" x2="${right}" y2="${px(toY(tick))}"/>`,
      text(SPACE.left - 8, toY(tick) + 4, nameOf(y, tick), 'class="muted" text-anchor="end"'),
    ]),
    ...x.ticks.map((tick) =>
      text(toX(tick), bottom + 20, nameOf(x, tick), 'class="muted" text-anchor="middle"'),
    ),
    text(SPACE.left + AREA.width / 2, HEIGHT - 12, x.name, 'class="muted" text-anchor="middle"'),
    `<text class="muted" text-anchor="middle" transform="translate(18 ${SPACE.top + AREA.height / 2}) rotate(-90)">${escape(y.name)}</text>`,
  ]
  if (mark) {
    const at = px(toY(mark.at))
    parts.push(
      `<line class="mark" x1="${SPACE.left}" y1="${at}" x2="${right}" y2="${at}"/>`,
      text(SPACE.left + 6, toY(mark.at) - 6, mark.name, 'class="mark-name"'),
    )
  }
  for (const [index, { name, points }] of lines.entries()) {
    const inside = points.map(([a, b]) => [toX(a), toY(b)] as const)
    const path = inside.map(([a, b], at) => `${at === 0 ? 'M' : 'L'}${px(a)} ${px(b)}`).join(' ')
    parts.push(
      ...(path === '' ? [] : [`<path class="line line${index}" d="${path}"/>`]),
      ...inside.map(([a, b]) => `<circle class="dot${index}" cx="${px(a)}" cy="${px(b)}" r="3"/>`),
      ...legend(name, index, lines),
    )
  }
  return parts.join('\n')
}

/** The name of a line beside a piece of it, above the chart. */
function legend(name: string, index: number, lines: readonly Line[]): string[] {
  // Wide enough for the names before it.
  const left =
    SPACE.left + lines.slice(0, index).reduce((sum, line) => sum + 46 + 6.6 * line.name.length, 0)
  return [
    `<path class="line line${index}" d="M${px(left)} 48 H${px(left + 26)}"/>`,
    `<circle class="dot${index}" cx="${px(left + 13)}" cy="48" r="3"/>`,
    text(left + 32, 52, name),
  ]
}

/** Where a value lies on an axis, from 0 to 1; values beyond an end are put there. */
function place({ ticks, scale }: Axis, value: number): number {
  const [least, most] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const at = scale === 'logarithmic' ? Math.log : Number
  return Math.min(1, Math.max(0, (at(value) - at(least)) / (at(most) - at(least))))
}

/** Returns round values from 0 to at least `most`, for a linear axis. */
export function ticksTo(most: number): number[] {
  const end = Math.max(most, 1)
  const rough = end / 4
  const unit = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * unit).find((each) => each >= rough) ?? unit
  return Array.from({ length: Math.ceil(end / step) + 1 }, (_, index) => index * step)
}

function nameOf({ label = (value) => value.toLocaleString('en') }: Axis, value: number): string {
  return label(value)
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const more = attributes === '' ? '' : ` ${attributes}`
  return `<text x="${px(x)}" y="${px(y)}"${more}>${escape(content)}</text>`
}

function px(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escape(content: string): string {
  return content
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
