import { createRequire } from 'node:module'
import type { Edge } from './flows.ts'

/** What draws graphs: `npm test` installs it with the site, whose pages have the figures. */
const { instance } = createRequire(new URL('../../../../site/package.json', import.meta.url))(
  '@viz-js/viz',
) as { instance(): Promise<{ renderString(graph: object, options: object): string }> }
const viz = await instance()

/** What the layout measures: wider than any font that {@link STYLE} shows, so that no text overlaps. */
const MEASURED = 'Courier'

/** Colors for light and dark. An SVG that a page shows as an image knows only the scheme of the system. */
const STYLE = `<style>
.graph>polygon{fill:#fff}.node path{fill:#ddf4ff;stroke:#0969da}.edge path{stroke:#59636e}.edge polygon{fill:#59636e;stroke:#59636e}text{fill:#1f2328;font-family:system-ui,sans-serif}
@media (prefers-color-scheme: dark){.graph>polygon{fill:#0d1117}.node path{fill:#0c2d6b;stroke:#4493f8}.edge path{stroke:#9198a1}.edge polygon{fill:#9198a1;stroke:#9198a1}text{fill:#e6edf3}}
</style>`

/** An arrow of a figure: everything that leads from one state to another. */
interface Arrow {
  readonly from: string
  readonly to: string
  readonly on: readonly string[]
}

/** Returns one sentence per arrow, for readers who do not see the figure. */
export function describeFigure(edges: readonly Edge[]): string {
  return arrowsOf(edges)
    .map(({ from, to, on }) => `From ${from} to ${to}: ${on.join(', ')}.`)
    .join(' ')
}

/** Returns an SVG of a machine: its states, and an arrow with the events that lead from one to another. */
export function figure(title: string, edges: readonly Edge[]): string {
  const states = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const svg = viz.renderString(
    {
      graphAttributes: { pad: 0.15, nodesep: 0.4 },
      nodeAttributes: { shape: 'box', style: 'rounded,filled', fontname: MEASURED, fontsize: 13 },
      edgeAttributes: { fontname: MEASURED, fontsize: 12, arrowsize: 0.7 },
      nodes: [...states].map((name) => ({ name })),
      edges: arrowsOf(edges).map(({ from, to, on }) => ({
        tail: from,
        head: to,
        // `\l` ends a line that begins at the left; the blanks keep the text off the arrow.
        attributes: { label: on.map((event) => `  ${event}  \\l`).join('') },
      })),
    },
    { format: 'svg' },
  )
  const heading = `<title id="title">${title}</title>\n<desc id="desc">${describeFigure(edges)}</desc>\n${STYLE}`
  return svg
    .slice(svg.indexOf('<svg'))
    .replaceAll(/<!--.*?-->\n/gs, '')
    .replace(
      /^<svg([^>]*)>/,
      (_, attributes: string) =>
        `<svg${attributes} role="img" aria-labelledby="title" aria-describedby="desc">\n${heading}`,
    )
}

function arrowsOf(edges: readonly Edge[]): Arrow[] {
  return [...Map.groupBy(edges, ({ from, to }) => `${from} → ${to}`).values()].flatMap((same) =>
    same
      .slice(0, 1)
      .map(({ from, to }) => ({ from, to, on: [...new Set(same.map(({ on }) => on))] })),
  )
}
